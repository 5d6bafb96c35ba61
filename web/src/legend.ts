// The legend beside the board: it names every mark, switches layers off and on, and says which of
// the sets hold the square under the pointer.

import { capital } from "./board/layer-names.ts";
import { drawsLayers, drawsOwnSets, isDrawn, offersLayers, shownLayers, switchLayer, type ShownLayer } from "./board/layers.ts";
import { h, replace } from "./dom.ts";
import type { Mark, Page, Pointing } from "./page.ts";
import { has } from "./squares.ts";
import type { PanelId, State } from "./state.ts";
import { texts } from "./texts.ts";

const words = texts.legend;

/** In these panels, marks come and go: with the row under the pointer, or from step to step. */
const WITH_PASSING_MARKS: readonly PanelId[] = ["moves", "compare", "methods"];

export class Legend {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #list: HTMLElement;
  /** The marks of a reason, of a bug or of a lesson. */
  readonly #own: HTMLElement;
  readonly #why: HTMLElement;

  constructor(page: Page, board: Pointing) {
    this.#page = page;
    this.#list = h("ul", { class: "marks", "aria-label": words.label });
    this.#why = h("p", { class: "why" });
    this.#own = h("ul", { class: "marks own", "aria-label": words.own });
    this.element = h("section", { class: "legend", "aria-label": words.label }, this.#list, h("div", { class: "pointed", tabindex: 0, role: "group", "aria-label": words.pointed }, this.#own, this.#why));
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
    const isOwnBoard = drawsOwnSets(state);
    const named = (mark: Mark) => h("li", {}, swatch(mark), mark.name);
    const own = this.#page.overlay.marks.map(named);
    const notes = this.#notes().map(named);
    // Marks that come and go with the pointer have a place of their own: nothing moves below it.
    replace(this.#list, ...layers.map((layer) => this.#layer(layer)), offer, ...notes, ...(isOwnBoard ? own : []));
    this.#own.replaceChildren(...(isOwnBoard ? [] : own));
    this.#own.hidden = isOwnBoard || own.length === 0;
    this.element.dataset["panel"] = this.#page.state.panel;
    // Where marks come and go with the pointer, their place stays even while it is empty.
    const isEmpty = layers.length + notes.length + own.length === 0 && offer === null;
    this.element.hidden = isEmpty && !WITH_PASSING_MARKS.includes(this.#page.state.panel);
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
    const { overlay, pointed: square } = this.#page;
    const others = [...this.#notes(), ...overlay.marks];
    const layers = drawsLayers(this.#page.state) ? shownLayers(this.#page).filter(isDrawn) : [];
    if (square === null) {
      this.#why.textContent = layers.length + others.length > 0 ? words.point : "";
      return;
    }
    const holding = layers.filter((layer) => has(layer.squares, square));
    const parts = holding.map(({ title, reason }) => (reason === undefined ? title : `${title}, ${reason}`));
    parts.push(...others.filter((mark) => has(mark.squares, square)).map(({ name }) => name));
    const marks = layers.length + others.length;
    this.#why.textContent = parts.length > 0 ? `${square}: ${parts.join("; ")}.` : marks > 0 ? words.notIn(square) : "";
  }
}

/** A small square that is marked as the squares of the set are. */
export function swatch({ style, color }: Pick<Mark, "style" | "color">): HTMLElement {
  return h("span", { class: "swatch", "aria-hidden": "true" }, h("span", { class: `mark ${style} color-${color}` }));
}
