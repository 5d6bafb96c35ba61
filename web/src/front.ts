// The front door: what the page is, and where to start.

import { write } from "./address.ts";
import { h } from "./dom.ts";
import { EXAMPLES } from "./examples.ts";
import { isOtherPosition, type Page } from "./page.ts";
import { FRONT, INITIAL, SAMPLE, type State } from "./state.ts";
import { texts } from "./texts.ts";

const words = texts.front;

/** The starts, by their names in `texts.ts`. */
const STARTS = {
  why: { start: EXAMPLES.throughCheck, panel: "moves", ask: "e1g1" },
  bug: SAMPLE,
  learn: { settings: { lesson: "bitboards.1" } },
  usual: {},
} as const satisfies Readonly<Record<string, Partial<State>>>;

export class Front {
  /** What the page is. The name leads back to the front page. */
  readonly title: HTMLElement;
  /** The starts, as long as the front page is shown. */
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #links: readonly (readonly [HTMLAnchorElement, State])[];

  constructor(page: Page) {
    this.#page = page;
    const home = h("a", {}, words.home);
    const starts = Object.entries(STARTS).map(
      ([name, patch]) => [link(name as keyof typeof STARTS), { ...INITIAL, ...patch }] as const,
    );
    this.#links = [[home, FRONT], ...starts];
    this.title = h("div", { class: "what" }, h("h1", {}, texts.page.title), h("p", {}, home, h("span", {}, `: ${texts.page.about}`)));
    this.element = h("nav", { class: "starts", "aria-label": words.label }, ...starts.map(([link]) => link));
  }

  update(): void {
    const { state } = this.#page;
    this.element.hidden = isOtherPosition(state, FRONT) || state.panel !== FRONT.panel || state.editing;
    for (const [link, there] of this.#links) link.href = `#${write({ ...there, theme: state.theme }, there.start)}`;
  }
}

/** The link of a start. It says what it leads to: the question on the first board is another one. */
function link(name: keyof typeof STARTS): HTMLAnchorElement {
  const more = words.more[name];
  return h("a", { "data-start": name }, words[name], ...(more === "" ? [] : [" ", h("small", {}, more)]));
}
