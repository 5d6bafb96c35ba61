// The steps of lessons that the reader has done. The browser keeps them for the next visit.

import type { Lesson } from "./lesson.ts";
import { LESSONS } from "./lessons.ts";

const NAME = "tabiya lessons";

const done = new Set(kept());

function kept(): string[] {
  try {
    return (localStorage.getItem(NAME) ?? "").split(" ");
  } catch {
    // Without storage, the steps count as long as the page lives.
    return [];
  }
}

/** Remembers a step, such as `checks.3`. */
export function finishStep(step: string): void {
  done.add(step);
  try {
    localStorage.setItem(NAME, [...done].join(" ").trim());
  } catch {
    // There is no storage, or no room in it.
  }
}

/** The steps of a lesson that aren't done, from 0. */
export function openSteps({ id, steps }: Lesson): number[] {
  return [...steps.keys()].filter((index) => !done.has(`${id}.${index + 1}`));
}

/** The next lesson with something left to do, beginning after this one. */
export function nextLesson(lesson: Lesson): Lesson | undefined {
  const place = LESSONS.indexOf(lesson);
  const others = [...LESSONS.slice(place + 1), ...LESSONS.slice(0, place)];
  return others.find((other) => openSteps(other).length > 0);
}
