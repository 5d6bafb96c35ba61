// The place of a lesson beside the board. The lessons themselves are loaded when one is opened.

import type { Play } from "./board/play.ts";
import { h } from "./dom.ts";
import type { LessonCard } from "./lessons/card.ts";
import type { Page, Use } from "./page.ts";
import { texts } from "./texts.ts";

export class LessonBar {
  readonly element = h("section", { class: "lesson", "aria-label": texts.page.lesson, hidden: true });
  readonly #page: Page;
  readonly #play: Play;
  #card: LessonCard | null = null;
  #isLoading = false;

  constructor(page: Page, play: Play) {
    this.#page = page;
    this.#play = play;
  }

  /** What a click on the board does while a question waits for squares. */
  get use(): Use | undefined {
    return this.element.hidden ? undefined : this.#card?.use;
  }

  update(): void {
    const isOpen = this.#page.state.settings["lesson"] !== undefined;
    this.element.hidden = !isOpen;
    if (isOpen && this.#card === null) void this.#load();
    else this.#card?.update();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const { LessonCard } = await import("./lessons/card.ts");
      this.#card = new LessonCard(this.element, this.#page, this.#play);
      this.#card.update();
    } catch {
      this.element.replaceChildren(h("p", { role: "alert", class: "error" }, texts.page.notLoaded));
    } finally {
      this.#isLoading = false;
    }
  }
}
