// The divide of a count: as a table that can be sorted, as text, and as JSON.

import { questionFen } from "tabiya";

import { h } from "../dom.ts";
import type { Page } from "../page.ts";
import type { Square } from "../squares.ts";
import { texts } from "../texts.ts";
import type { Count, MoveCount } from "./count.ts";

const words = texts.perft;

type Column = "move" | "nodes";
const ORDERS: Record<Column, (a: MoveCount, b: MoveCount) => number> = {
  move: (a, b) => (a.uci < b.uci ? -1 : 1),
  nodes: (a, b) => Number(b.nodes - a.nodes) || (a.uci < b.uci ? -1 : 1),
};

/** Leaf nodes per second, without digits that say nothing. */
export function rateOf(count: Count): number {
  return Math.round(count.rate / 1e5) * 1e5;
}

/** The squares of a move in UCI. */
export function squaresOf(uci: string): [Square, Square] {
  return [uci.slice(0, 2) as Square, uci.slice(2, 4) as Square];
}

export class Divide {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #heads: Record<Column, HTMLTableCellElement>;
  readonly #body: HTMLElement;
  #order: Column = "move";
  #count: Count | null = null;

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
    this.#count = count;
    const moves = count.moves.sort(ORDERS[this.#order]);
    const most = moves.reduce((largest, { nodes }) => (nodes > largest ? nodes : largest), 1n);
    for (const [column, cell] of Object.entries(this.#heads)) {
      const isSorted = column === this.#order;
      cell.setAttribute("aria-sort", !isSorted ? "none" : column === "nodes" ? "descending" : "ascending");
    }
    this.#body.replaceChildren(...moves.map((move) => this.#row(move, count, most)));
  }

  #sort(column: Column): void {
    this.#order = column;
    if (this.#count) this.show(this.#count);
  }

  #row(move: MoveCount, count: Count, most: bigint): HTMLElement {
    const share = count.nodes > 0n ? Number((move.nodes * 10_000n) / count.nodes) / 100 : 0;
    const width = Number((move.nodes * 1000n) / most) / 10;
    const [from, to] = squaresOf(move.uci);
    const bar = h("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${width}%`;
    const row = h(
      "tr",
      { class: move.isComplete ? "" : "incomplete", "data-move": move.uci },
      h("th", { scope: "row" }, `${move.san} `, h("code", {}, move.uci)),
      h("td", { class: "number" }, move.nodes.toLocaleString("en"), move.isComplete ? "" : h("span", { title: words.incomplete }, " …")),
      h("td", { class: "share" }, bar, h("span", {}, words.percent(share))),
    );
    row.addEventListener("pointerenter", () =>
      this.#page.setOverlay({ marks: [], arrows: [{ from, to, kind: "plain" }] }),
    );
    return row;
  }
}

/** The divide as the command `tabiya perft --divide` prints it. */
export function asText(count: Count): string {
  const moves = count.moves.sort(ORDERS.move);
  const wide = (values: readonly string[], title: string) => Math.max(title.length, ...values.map((it) => it.length));
  const counts = moves.map((move) => move.nodes.toLocaleString("en"));
  const [left, right] = [wide(moves.map((move) => move.uci), "move"), wide(counts, "nodes")];
  const lines = moves.map((move, index) => {
    const end = move.isComplete ? "" : `  ${words.soFar}`;
    return `${move.uci.padEnd(left)}  ${counts[index]!.padStart(right)}${end}`;
  });
  const total = [
    ["depth", String(count.question.depth)],
    ["nodes", count.nodes.toLocaleString("en")],
    ["time", `${count.seconds.toFixed(3)} s`],
    ["nodes/s", Math.round(count.rate).toLocaleString("en")],
  ].map(([title, value]) => {
    const width = Math.max(title!.length, value!.length);
    return [title!.padStart(width), value!.padStart(width)] as const;
  });
  return [
    `${"move".padEnd(left)}  ${"nodes".padStart(right)}`,
    ...lines,
    "",
    total.map(([title]) => title).join("  "),
    total.map(([, value]) => value).join("  "),
    "",
  ].join("\n");
}

/** The same as JSON. Counts are texts: they may be larger than what JavaScript's numbers hold. */
export function asJson(count: Count): string {
  const { question } = count;
  return JSON.stringify(
    {
      fen: questionFen(question.start, question.moves),
      depth: question.depth,
      nodes: String(count.nodes),
      complete: count.state === "complete",
      seconds: count.seconds,
      workers: count.options.workers,
      divide: count.moves.sort(ORDERS.move).map(({ uci, san, nodes, isComplete }) => ({
        move: uci,
        san,
        nodes: String(nodes),
        complete: isComplete,
      })),
      ...(count.options.byCategory ? { categories: count.categories.map(String) } : {}),
    },
    null,
    2,
  );
}
