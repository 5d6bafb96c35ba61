// Arrows and circles that the user draws with the right button. They are not saved.

import type { Arrow } from "../page.ts";
import type { Square } from "../squares.ts";

export class Drawing {
  /** Pairs of squares, from and to. A square with itself is a circle. */
  #drawn: (readonly [Square, Square])[] = [];
  /** What would be drawn if the button were released now. */
  #pending: readonly [Square, Square] | null = null;
  /** The position on which it is drawn. */
  #fen = "";
  readonly #redraw: () => void;

  constructor(board: HTMLElement, squareAt: (x: number, y: number) => Square | null, redraw: () => void) {
    this.#redraw = redraw;
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => {
      const from = squareAt(event.clientX, event.clientY);
      if (event.button !== 2 || from === null) return;
      const follow = (to: Square | null) => {
        this.#pending = to === null ? null : [from, to];
        this.#redraw();
      };
      const move = (moved: PointerEvent) => follow(squareAt(moved.clientX, moved.clientY));
      const end = (ended: PointerEvent) => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
        if (ended.type === "pointerup") move(ended);
        if (ended.type === "pointerup" && this.#pending) this.#toggle(this.#pending);
        follow(null);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
      follow(from);
    });
    addEventListener("keydown", ({ key }) => key === "Escape" && this.clear());
  }

  get arrows(): Arrow[] {
    return this.#all().flatMap(([from, to]) => (from === to ? [] : [{ from, to, kind: "drawn" as const }]));
  }

  get circles(): Square[] {
    return this.#all().flatMap(([from, to]) => (from === to ? [from] : []));
  }

  clear(): void {
    if (this.#drawn.length === 0) return;
    this.#drawn = [];
    this.#redraw();
  }

  /** What was drawn on another position disappears with it. */
  follow(fen: string): void {
    if (fen !== this.#fen) this.#drawn = [];
    this.#fen = fen;
  }

  #all(): (readonly [Square, Square])[] {
    return this.#pending ? [...this.#drawn, this.#pending] : this.#drawn;
  }

  #toggle([from, to]: readonly [Square, Square]): void {
    const others = this.#drawn.filter(([a, b]) => a !== from || b !== to);
    this.#drawn = others.length < this.#drawn.length ? others : [...this.#drawn, [from, to]];
  }
}
