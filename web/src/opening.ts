// The name of the opening on the board, beside the verdict.

import { h } from "./dom.ts";
import { isOtherPosition, type Page } from "./page.ts";
import { FRONT, type State } from "./state.ts";

export class Opening {
  readonly element = h("p", { class: "opening", hidden: true });
  readonly #page: Page;
  /** The names are loaded when there are moves that the reader has played or opened. */
  #names: Promise<(state: State) => string> | null = null;

  constructor(page: Page) {
    this.#page = page;
    if (isOtherPosition(page.state, FRONT)) void this.#show();
    page.subscribe((state, before) => {
      if (isOtherPosition(state, before)) void this.#show();
    });
  }

  async #show(): Promise<void> {
    if (this.#page.state.ply > 0) this.#names ??= idle().then(() => import("./opening-names.ts")).then(({ openingOfLine }) => openingOfLine);
    // Without a connection the names are missing, and nothing else.
    const name = await this.#names?.then((find) => find(this.#page.state)).catch(() => "");
    this.element.textContent = name ?? "";
    this.element.hidden = !name;
  }
}

/** Waits until the browser has nothing else to do. Safari does not say when that is. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve) : setTimeout(resolve, 500)));
}
