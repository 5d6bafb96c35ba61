// The leaf nodes of a count by category, as a table. Categories without leaf nodes are folded away.

import { perftCategories } from "../counting.ts";

import { h } from "../dom.ts";
import { words } from "../texts/perft.ts";

export class Categories {
  readonly element: HTMLDetailsElement;
  readonly #rows: readonly { readonly element: HTMLElement; readonly number: HTMLElement; readonly title: string }[];
  readonly #noneTitle = h("summary", {});
  readonly #noneList = h("p", { class: "note" });
  readonly #none = h("details", { class: "none", hidden: true }, this.#noneTitle, this.#noneList);

  constructor() {
    this.#rows = perftCategories().map(({ key, title, definition }) => {
      const full = (words.categoryTitles as Readonly<Record<string, string>>)[key] ?? title;
      const number = h("td", { class: "number" });
      const element = h("tr", { title: definition, "data-category": key }, h("th", { scope: "row" }, full), number);
      return { element, number, title: full };
    });
    this.element = h(
      "details",
      { class: "perft-categories", open: true },
      h("summary", {}, words.categories),
      h("table", {}, h("tbody", {}, ...this.#rows.map(({ element }) => element))),
      this.#none,
    );
  }

  show(numbers: readonly bigint[]): void {
    const none: string[] = [];
    this.#rows.forEach(({ element, number, title }, index) => {
      const nodes = numbers[index] ?? 0n;
      number.textContent = nodes.toLocaleString("en");
      element.hidden = nodes === 0n;
      if (nodes === 0n) none.push(title);
    });
    this.#none.hidden = none.length === 0;
    this.#noneTitle.textContent = words.noneOf(none.length);
    this.#noneList.textContent = none.join(", ");
  }
}
