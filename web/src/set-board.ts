// A small board. Clicks, taps or the keyboard choose a set of its squares.

import { h } from "./dom.ts";
import { has, isLight, numberOf, rows, SQUARES, type Square } from "./squares.ts";

/** The directions of the arrow keys, from White's side. */
const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class SetBoard {
  readonly element: HTMLElement;
  readonly #cells = new Map<Square, HTMLButtonElement>();
  /** The only square that the Tab key reaches. */
  #current: Square = "e4";
  #flipped: boolean | null = null;

  constructor(label: string, choose: (square: Square) => void) {
    this.element = h("div", { class: "set-board", role: "group", "aria-label": label });
    for (const square of SQUARES) {
      const cell = h("button", {
        type: "button",
        class: isLight(square) ? "light" : "dark",
        "aria-label": square,
        "data-at": square,
        tabindex: square === this.#current ? 0 : -1,
        onclick: () => {
          this.#moveTo(square);
          choose(square);
        },
      });
      this.#cells.set(square, cell);
    }
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a set. A square can have a frame, for example that of a piece. */
  update(set: bigint, flipped: boolean, frame: Square | null = null, color = 1): void {
    if (flipped !== this.#flipped) {
      this.#flipped = flipped;
      this.element.replaceChildren(...rows(flipped).flat().map((square) => this.#cells.get(square)!));
    }
    for (const [square, cell] of this.#cells) {
      const isIn = has(set, square);
      cell.setAttribute("aria-pressed", String(isIn));
      cell.classList.toggle("in", isIn);
      cell.classList.toggle(`color-${color}`, true);
      cell.classList.toggle("framed", square === frame);
    }
  }

  #moveTo(square: Square): void {
    this.#cells.get(this.#current)!.tabIndex = -1;
    this.#current = square;
    this.#cells.get(square)!.tabIndex = 0;
  }

  #key(event: KeyboardEvent): void {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    const sign = this.#flipped ? -1 : 1;
    const number = numberOf(this.#current);
    const file = (number % 8) + sign * step[0];
    const rank = Math.floor(number / 8) + sign * step[1];
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return;
    this.#moveTo(SQUARES[rank * 8 + file]!);
    this.#cells.get(this.#current)!.focus();
  }
}
