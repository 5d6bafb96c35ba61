// The texts that were pasted into the debugger. They outlive a reload, but not the tab.

import type { Level } from "./trail.ts";

/** Browsers keep only a few megabytes for a page. */
const LONGEST = 500_000;

/** A question, and what was printed for it. */
type Paste = Pick<Level, "question" | "played" | "text">;

const nameOf = ({ question, played }: Omit<Paste, "text">): string =>
  `tabiya paste ${question.start}|${question.moves}|${question.depth}|${played}`;

/** The text that was pasted at a level; empty if there is none. */
export function kept(level: Level): string {
  try {
    return sessionStorage.getItem(nameOf(level)) ?? "";
  } catch {
    // Some browsers keep nothing for pages that are opened from a file.
    return "";
  }
}

export function keep(level: Paste): void {
  try {
    if (level.text === "" || level.text.length > LONGEST) sessionStorage.removeItem(nameOf(level));
    else sessionStorage.setItem(nameOf(level), level.text);
  } catch {
    // There is no room left, or no storage at all: the text lives as long as the page.
  }
}
