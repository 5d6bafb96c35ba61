// The divide of a count as a table that can be sorted.

import { h } from "../dom.ts";
import { NO_OVERLAY, type Page } from "../page.ts";
import { words } from "../texts/perft.ts";
import { arrowOf } from "./arrow.ts";
import { byMove, type Count, type MoveCount } from "./count.ts";

type Column = "move" | "nodes";
const ORDERS: Record<Column, (a: MoveCount, b: MoveCount) => number> = {
  move: byMove,
  nodes: (a, b) => Number(b.nodes - a.nodes) || byMove(a, b),
};

export class Divide {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #heads: Record<Column, HTMLTableCellElement>;
  readonly #body: HTMLElement;
  #order: Column = "move";
  #count: Count | null = null;
  /** The row of each move. The rows stay while the count is running, for users who point at one. */
  #rows = new Map<string, Row>();

  constructor(page: Page) {
    this.#page = page;
    const head = (column: Column) =>
      h(
        "th",
        { scope: "col" },
        h("button", { type: "button", onclick: () => this.#sort(column) }, words.columns[column]),
      );
    this.#heads = { move: head("move"), nodes: head("nodes") };
    this.#body = h("tbody");
    this.element = h(
      "table",
      { class: "divide" },
      h("caption", {}, words.divide),
      h("thead", {}, h("tr", {}, this.#heads.move, this.#heads.nodes, h("th", { scope: "col" }, words.columns.share))),
      this.#body,
    );
  }

  show(count: Count): void {
    const moves = count.moves.sort(ORDERS[this.#order]);
    if (count !== this.#count) this.#rows = new Map(moves.map((move) => [move.uci, new Row(move, this.#page)]));
    this.#count = count;
    for (const [column, cell] of Object.entries(this.#heads)) {
      const isSorted = column === this.#order;
      cell.setAttribute("aria-sort", !isSorted ? "none" : column === "nodes" ? "descending" : "ascending");
    }
    const most = moves.reduce((largest, { nodes, isComplete }) => (isComplete && nodes > largest ? nodes : largest), 1n);
    const rows = moves.map((move) => {
      const row = this.#rows.get(move.uci)!;
      // The shares are those of the whole, which is known at the end.
      row.show(move, count.state === "complete" ? count.nodes : null, most);
      return row.element;
    });
    const { children } = this.#body;
    if (children.length !== rows.length || rows.some((row, index) => row !== children[index])) {
      this.#body.replaceChildren(...rows);
    }
  }

  #sort(column: Column): void {
    this.#order = column;
    if (this.#count) this.show(this.#count);
  }
}

/** The row of a move. */
class Row {
  readonly element: HTMLElement;
  readonly #nodes = h("span");
  readonly #mark = h("span", { title: words.incomplete }, " …");
  readonly #bar = h("span", { class: "bar", "aria-hidden": "true" });
  readonly #share = h("span");

  constructor({ uci, san }: MoveCount, page: Page) {
    this.element = h(
      "tr",
      { "data-move": uci },
      h("th", { scope: "row" }, `${san} `, h("code", {}, uci)),
      h("td", { class: "number" }, this.#nodes, this.#mark),
      h("td", { class: "share" }, this.#bar, this.#share),
    );
    const arrow = arrowOf(uci, "plain");
    this.element.addEventListener("pointerenter", () => page.setOverlay({ marks: [], arrows: arrow ? [arrow] : [] }, "perft"));
    this.element.addEventListener("pointerleave", () => page.setOverlay(NO_OVERLAY, "perft"));
  }

  /**
   * Shows the count of a move. The bar is longest for the move with the most leaf nodes. A part of a
   * count has none: it would look like a finished one.
   */
  show(move: MoveCount, all: bigint | null, most: bigint): void {
    this.element.classList.toggle("incomplete", !move.isComplete);
    const hasNothing = !move.isComplete && move.nodes === 0n;
    this.#nodes.textContent = hasNothing ? words.uncounted : move.nodes.toLocaleString("en");
    this.#mark.hidden = move.isComplete || hasNothing;
    this.#bar.style.width = move.isComplete ? `${Number((move.nodes * 1000n) / most) / 10}%` : "0";
    const share = all === null ? null : all > 0n ? Number((move.nodes * 10_000n) / all) / 100 : 0;
    this.#share.textContent = share === null ? words.uncounted : words.percent(share);
  }
}
