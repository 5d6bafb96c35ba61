// The tools of the page: named positions, the editor, the link, the theme.

import { standardPositions } from "./library.ts";

import { h } from "./dom.ts";
import { EXAMPLES } from "./examples.ts";
import type { Page } from "./page.ts";
import type { Theme } from "./state.ts";
import { texts } from "./texts.ts";

/** The way to the start page of the site that this page is a part of, if it is. */
declare const __SITE__: string;

const words = texts.tools;

export class Tools {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #edit: HTMLButtonElement;
  readonly #flip: HTMLButtonElement;
  readonly #theme: HTMLSelectElement;

  constructor(page: Page, load: (text: string) => void) {
    this.#page = page;
    const button = (text: string, click: () => void) => h("button", { type: "button", onclick: click }, text);
    this.#edit = button(words.edit, () => page.change({ editing: !page.state.editing, square: null }));
    this.#flip = button(words.flip, () => page.change({ flipped: !page.state.flipped }));
    this.#theme = h(
      "select",
      { class: "theme", "aria-label": words.theme, onchange: () => page.change({ theme: this.#theme.value as Theme }) },
      ...(Object.keys(words.themes) as Theme[]).map((theme) => h("option", { value: theme }, words.themes[theme])),
    );
    this.element = h(
      "div",
      { class: "tools" },
      positions(load),
      this.#edit,
      this.#flip,
      button(words.link, () => void page.copy(location.href)),
      this.#theme,
      ...(__SITE__ === "" ? [] : [h("a", { class: "site", href: __SITE__, title: words.siteTitle }, words.site)]),
    );
  }

  update(): void {
    const { state } = this.#page;
    this.#edit.setAttribute("aria-pressed", String(state.editing));
    this.#flip.setAttribute("aria-pressed", String(state.flipped));
    this.#theme.value = state.theme;
  }
}

/** A menu of positions. It keeps its title, whatever is chosen. */
function positions(load: (text: string) => void): HTMLSelectElement {
  const examples = Object.keys(EXAMPLES) as Array<keyof typeof EXAMPLES>;
  const standard = standardPositions().map(({ name, description }) => h("option", { value: name }, `${name}: ${description}`));
  const select = h(
    "select",
    { class: "named", "aria-label": words.positions },
    h("option", { value: "" }, words.positions),
    h("optgroup", { label: words.standard }, ...standard),
    h("optgroup", { label: words.examples }, ...examples.map((name) => h("option", { value: EXAMPLES[name] }, words.example[name]))),
  );
  select.addEventListener("change", () => {
    if (select.value !== "") load(select.value);
    select.value = "";
  });
  return select;
}
