// The verdict beside the board: who is to move, check, the end of the game, and the answer to the
// last attempt.

import { h } from "./dom.ts";
import { Opening } from "./opening.ts";
import type { Page } from "./page.ts";
import { errorText } from "./sentences.ts";
import { texts } from "./texts.ts";

const words = texts.verdict;

export class Verdict {
  readonly element: HTMLElement;
  /** The position as a text, to copy. */
  readonly fen: HTMLElement;
  readonly #page: Page;
  readonly #status: HTMLElement;
  readonly #answer: HTMLElement;
  readonly #fen: HTMLInputElement;

  constructor(page: Page) {
    this.#page = page;
    this.#status = h("p", { class: "status" });
    this.#answer = h("p", { id: "answer", class: "answer", role: "status" });
    this.#fen = h("input", { id: "fen", type: "text", readonly: true, "aria-label": words.fen, onfocus: () => this.#fen.select() });
    const copy = h("button", { type: "button", "aria-label": words.copyFen, onclick: () => void page.copy(this.#fen.value) }, words.copy);
    const heading = h("div", { class: "heading" }, this.#status, new Opening(page).element);
    this.element = h("section", { class: "verdict", "aria-label": words.label }, heading, this.#answer);
    this.fen = h("div", { class: "fen" }, h("span", { "aria-hidden": "true" }, words.fen), this.#fen, copy);
  }

  /** Shows a sentence about the last attempt, and perhaps what to do about it. */
  say(text: string, isBad: boolean, action?: HTMLElement): void {
    this.#answer.replaceChildren(text, ...(action ? [" ", action] : []));
    this.#answer.classList.toggle("error", isBad);
  }

  /** The position in a few words: the last move, and who is to move. */
  summary(): string {
    const last = this.#page.view.line[this.#page.state.ply - 1];
    return `${last ? `${last.san}. ` : ""}${this.#status.textContent ?? ""}`;
  }

  update(): void {
    const { view, error } = this.#page;
    const verdict =
      view.error !== undefined
        ? words.invalid(view.error)
        : view.ending
          ? words.ended(view.ending)
          : words.toMove(view.turn) + (view.check ? `, ${words.check}` : "");
    const notes = [...(view.claim ? [words.claim(view.claim)] : []), ...view.remarks.map(words.remark)];
    this.#status.textContent = [verdict, ...notes].join(" ");
    const kind = view.error !== undefined ? "invalid" : view.ending ? "ended" : view.check ? "check" : "open";
    this.#status.dataset["kind"] = kind;
    this.#fen.value = view.fen;
    if (error) this.say(errorText(error), true);
  }
}
