// The panel of lessons: what there is to learn, and what is done.

import { h } from "../dom.ts";
import { openLesson } from "../lessons/card.ts";
import type { Lesson } from "../lessons/lesson.ts";
import { LESSONS } from "../lessons/lessons.ts";
import { openSteps } from "../lessons/progress.ts";
import type { Page, Panel } from "../page.ts";
import { words } from "../texts/lessons.ts";

export class LessonsPanel implements Panel {
  readonly id = "lessons";
  readonly #progress = new Map<Lesson, HTMLElement>();

  mount(host: HTMLElement, page: Page): void {
    const item = (lesson: Lesson) => {
      const progress = h("span", { class: "progress" });
      this.#progress.set(lesson, progress);
      // The reader goes on at the first step that isn't done.
      const open = () => openLesson(page, lesson, openSteps(lesson)[0] ?? 0);
      const button = h("button", { type: "button", "data-lesson": lesson.id, onclick: open }, lesson.title);
      return h("li", {}, button, progress, h("span", { class: "note" }, ` ${lesson.summary}`));
    };
    host.append(h("p", {}, words.introduction), h("ol", { class: "lessons" }, ...LESSONS.map(item)));
  }

  update(): void {
    for (const [lesson, progress] of this.#progress) {
      const all = lesson.steps.length;
      const done = all - openSteps(lesson).length;
      progress.textContent = words.progress(done, all);
      progress.dataset["state"] = done === all ? "done" : "open";
    }
  }
}
