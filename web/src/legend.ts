// The legend beside the board: it names every mark, switches layers off and on, and says which of
// the sets hold the square under the pointer.

import { capital } from "./board/layer-names.ts";
import { drawsLayers, drawsOwnSets, isDrawn, offersLayers, shownLayers, switchLayer, type ShownLayer } from "./board/layers.ts";
import { h, replace } from "./dom.ts";
import type { Mark, Page, Pointing } from "./page.ts";
import { has } from "./squares.ts";
import type { State } from "./state.ts";
import { texts } from "./texts.ts";

const words = texts.legend;

export class Legend {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #list: HTMLElement;
  readonly #pointed: HTMLElement;
  readonly #why: HTMLElement;

  constructor(page: Page, board: Pointing) {
    this.#page = page;
    this.#list = h("ul", { class: "marks", "aria-label": words.label });
    this.#why = h("p", { class: "why" });
    this.#pointed = h("div", { class: "pointed", tabindex: 0, role: "group", "aria-label": words.pointed }, this.#why);
    this.element = h("section", { class: "legend", "aria-label": words.label }, this.#list, this.#pointed);
    board.onPoint((square) => {
      if (square === page.pointed) return;
      page.pointed = square;
      this.#explain();
    });
  }

  update(): void {
    const { state } = this.#page;
    const hasLayers = drawsLayers(state);
    const layers = hasLayers ? shownLayers(this.#page) : [];
    const offer = offersLayers(state) ? this.#offer(hasLayers, state) : null;
    const marks = [...this.#notes(), ...this.#page.overlay.marks].map((mark) => h("li", {}, swatch(mark), mark.name));
    replace(this.#list, ...layers.map((layer) => this.#layer(layer)), offer, ...marks);
    this.element.dataset["panel"] = state.panel;
    this.#explain();
  }

  /** The squares that the game has marked, where they are drawn. */
  #notes(): readonly Mark[] {
    return drawsOwnSets(this.#page.state) ? [] : this.#page.notes.marks;
  }

  /** Switches the layers on or off in a panel where they are not the subject. */
  #offer(isShown: boolean, { panel, layers }: State): HTMLElement {
    const click = () => this.#page.set({ show: isShown ? "" : panel });
    return h("li", {}, h("button", { type: "button", class: "offer", "data-key": "offer", onclick: click }, isShown ? words.hide : words.show(layers.length)));
  }

  #layer(layer: ShownLayer): HTMLElement {
    const [title, id] = [capital(layer.title), h("code", {}, layer.name)];
    // A set that is not drawn has no mark, and nothing to switch off.
    if (layer.words !== undefined) return h("li", { "data-legend": layer.name, class: "said" }, `${title}: ${layer.words}`, id);
    const isOn = isDrawn(layer);
    const button = h(
      "button",
      { type: "button", "data-key": layer.key, "aria-pressed": String(isOn), title: words.switch, onclick: () => switchLayer(this.#page, layer.key) },
      swatch(layer),
      title,
      id,
    );
    return h("li", { "data-legend": layer.name }, button);
  }

  /** Says in which sets the square is, and why. */
  #explain(): void {
    const { overlay, pointed: square, state } = this.#page;
    const notes = this.#notes();
    const others = [...notes, ...overlay.marks];
    const layers = drawsLayers(state) ? shownLayers(this.#page).filter(isDrawn) : [];
    // A reason alone has one set, and its sentence says why.
    this.#pointed.hidden = layers.length + (drawsOwnSets(state) ? others : notes).length === 0;
    if (square === null) {
      this.#why.textContent = words.point;
      return;
    }
    const holding = layers.filter((layer) => has(layer.squares, square));
    const parts = holding.map(({ title, reason }) => (reason === undefined ? title : `${title}, ${reason}`));
    parts.push(...others.filter((mark) => has(mark.squares, square)).map(({ name }) => name));
    this.#why.textContent = parts.length > 0 ? `${square}: ${parts.join("; ")}.` : words.notIn(square);
  }
}

/** A small square that is marked as the squares of the set are. */
export function swatch({ style, color }: Pick<Mark, "style" | "color">): HTMLElement {
  return h("span", { class: "swatch", "aria-hidden": "true" }, h("span", { class: `mark ${style} color-${color}` }));
}
