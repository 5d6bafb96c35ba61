// The line of moves, with the buttons that step along it.

import { h, replace } from "./dom.ts";
import type { Page } from "./page.ts";
import { texts } from "./texts.ts";

const words = texts.line;

export class Line {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #moves: HTMLElement;
  readonly #steps: Record<"first" | "previous" | "next" | "last", HTMLButtonElement>;
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #flip: HTMLButtonElement;

  constructor(page: Page) {
    this.#page = page;
    const step = (text: string, sign: string, to: () => number) =>
      h("button", { type: "button", "aria-label": text, title: text, onclick: () => page.change({ ply: to(), square: null }) }, sign);
    this.#steps = {
      first: step(words.first, "«", () => 0),
      previous: step(words.previous, "‹", () => Math.max(0, page.state.ply - 1)),
      next: step(words.next, "›", () => Math.min(page.state.moves.length, page.state.ply + 1)),
      last: step(words.last, "»", () => page.state.moves.length),
    };
    const button = (text: string, click: () => void) => h("button", { type: "button", onclick: click }, text);
    this.#undo = button(words.undo, () => page.undo());
    this.#redo = button(words.redo, () => page.redo());
    this.#flip = button(words.flip, () => page.change({ flipped: !page.state.flipped }));
    this.#moves = h("ol", { class: "line", "aria-label": words.label });
    const { first, previous, next, last } = this.#steps;
    this.element = h(
      "section",
      { class: "line-bar", "aria-label": words.label },
      h("div", { class: "buttons steps" }, first, previous, next, last, this.#undo, this.#redo, this.#flip),
      this.#moves,
    );
  }

  update(): void {
    const { line, state } = this.#page;
    const { first, previous, next, last } = this.#steps;
    for (const button of [first, previous]) setDisabled(button, state.ply === 0);
    for (const button of [next, last]) setDisabled(button, state.ply === state.moves.length);
    setDisabled(this.#undo, !this.#page.canUndo);
    setDisabled(this.#redo, !this.#page.canRedo);
    this.#flip.setAttribute("aria-pressed", String(state.flipped));
    const items = line.map((move, index) => {
      const number = move.color === "white" ? `${move.number}. ` : index === 0 ? `${move.number}... ` : "";
      const isHere = index + 1 === state.ply;
      return h(
        "li",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, number),
        h(
          "button",
          {
            type: "button",
            class: index < state.ply ? "played" : "ahead",
            "aria-current": isHere ? "true" : null,
            "data-key": index,
            onclick: () => this.#page.change({ ply: index + 1, square: null }),
          },
          move.san,
        ),
      );
    });
    replace(this.#moves, ...(items.length > 0 ? items : [h("li", { class: "empty" }, words.noMoves)]));
    // Scrolls a long line so that the current move is visible.
    const here = this.#moves.querySelector<HTMLElement>("[aria-current]");
    if (here) this.#moves.scrollTop = here.offsetTop - this.#moves.offsetTop - this.#moves.clientHeight / 2;
  }
}

/** A button that has no effect now. It keeps the focus, which a disabled button would lose. */
function setDisabled(button: HTMLButtonElement, isDisabled: boolean): void {
  button.setAttribute("aria-disabled", String(isDisabled));
}
