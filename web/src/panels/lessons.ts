// The panel of lessons: what there is to learn.

import { h } from "../dom.ts";
import { openLesson } from "../lessons/card.ts";
import { LESSONS } from "../lessons/lessons.ts";
import type { Page, Panel } from "../page.ts";
import { words } from "../texts/lessons.ts";

export class LessonsPanel implements Panel {
  readonly id = "lessons";

  mount(host: HTMLElement, page: Page): void {
    const items = LESSONS.map((lesson) =>
      h(
        "li",
        {},
        h("button", { type: "button", "data-lesson": lesson.id, onclick: () => openLesson(page, lesson, 0) }, lesson.title),
        h("span", { class: "note" }, ` ${lesson.summary}`),
      ),
    );
    host.append(h("p", {}, words.introduction), h("ol", { class: "lessons" }, ...items));
  }

  update(): void {
    // The list is always the same.
  }
}
