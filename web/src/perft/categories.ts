// The leaf nodes of a count by category, as a table.

import { perftCategories } from "tabiya";

import { h } from "../dom.ts";
import { texts } from "../texts.ts";

export class Categories {
  readonly element: HTMLDetailsElement;
  readonly #numbers: readonly HTMLElement[];

  constructor() {
    const all = perftCategories();
    this.#numbers = all.map(() => h("td", { class: "number" }));
    const rows = all.map(({ title, definition }, index) =>
      h("tr", { title: definition }, h("th", { scope: "row" }, title), this.#numbers[index]),
    );
    this.element = h(
      "details",
      { class: "perft-categories", open: true },
      h("summary", {}, texts.perft.categories),
      h("table", {}, h("tbody", {}, ...rows)),
    );
  }

  show(numbers: readonly bigint[]): void {
    this.#numbers.forEach((cell, index) => (cell.textContent = (numbers[index] ?? 0n).toLocaleString("en")));
  }
}
