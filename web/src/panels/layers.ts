// The panel of layers: the choice of layers, and the sets as numbers.

import { layerKinds, type LayerInfo } from "../library.ts";

import { capital, titleOf } from "../board/layer-names.ts";
import { errorOfName, shownLayers, type ShownLayer } from "../board/layers.ts";
import { h, replace } from "../dom.ts";
import { binary, hex, LITERALS, numberFor, popcount, type Zero } from "../numbers.ts";
import { swatch } from "../legend.ts";
import type { Page, Panel } from "../page.ts";
import { sentence } from "../sentences.ts";
import { bitboard } from "../picture.ts";
import { MOST_LAYERS, type State } from "../state.ts";
import { texts } from "../texts.ts";
import { GROUPS, type Group } from "./layer-groups.ts";

const words = texts.layers;

const PRESETS: Readonly<Record<keyof typeof words.preset, readonly string[]>> = {
  attacks: ["attacks:white", "attacks:black"],
  // The sets with most squares come first, because the first three are tints.
  legality: ["king-danger", "pin-lines", "push-mask", "capture-mask", "pinned", "checkers"],
  special: ["en-passant-pseudo-legal", "en-passant-trap", "castling-king-path", "castling-clear"],
  none: [],
};

const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

export class LayersPanel implements Panel {
  readonly id = "layers";
  #page!: Page;
  #shown!: HTMLElement;
  #kinds!: HTMLElement;
  #boxes = new Map<string, HTMLInputElement>();
  #zero: HTMLInputElement[] = [];
  /** What is wrong with the name in a field. */
  readonly #problem = h("p", { class: "error", id: "layer-problem", role: "alert" });

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    this.#shown = h("div", { class: "shown-layers" });
    this.#kinds = h("div", { class: "layer-kinds" }, ...this.#groups());
    host.append(
      h("p", {}, words.introduction),
      this.#presets(),
      h("h3", {}, words.shown),
      this.#zeroes(),
      this.#shown,
      this.#custom(),
      this.#kinds,
    );
  }

  update(state: State): void {
    const layers = shownLayers(this.#page);
    for (const [key, box] of this.#boxes) {
      box.checked = state.layers.includes(key);
      box.disabled = !box.checked && state.layers.length >= MOST_LAYERS;
    }
    this.#zero.forEach((radio) => (radio.checked = radio.value === state.zero));
    replace(this.#shown, ...(layers.length > 0 ? layers.map((layer) => this.#layer(layer)) : [h("p", {}, words.nothing)]));
  }

  #toggle(key: string, isShown: boolean): void {
    const { layers } = this.#page.state;
    if (isShown && layers.length >= MOST_LAYERS) {
      this.#page.announce(words.full);
      return;
    }
    const without = layers.filter((layer) => layer !== key);
    this.#page.change({ layers: isShown ? [...without, key] : without });
  }

  /** Shows the layer with the typed name or name ending. A comma would separate layers. */
  #add(input: HTMLInputElement, prefix = ""): void {
    const ending = input.value.trim().replaceAll(/[,\s]+/g, "-");
    if (ending === "") return;
    const error = errorOfName(this.#page, prefix + ending);
    this.#refuse(input, error);
    if (error !== null) return;
    this.#toggle(prefix + ending, true);
    input.value = "";
  }

  /** Says next to a field what is wrong with its text, if anything. */
  #refuse(input: HTMLInputElement, error: string | null): void {
    input.toggleAttribute("aria-describedby", false);
    input.setAttribute("aria-invalid", String(error !== null));
    this.#problem.remove();
    if (error === null) return;
    input.setAttribute("aria-describedby", this.#problem.id);
    this.#problem.textContent = sentence(error);
    input.parentElement!.after(this.#problem);
  }

  #layer(layer: ShownLayer): HTMLElement {
    const number = numberFor(layer.squares, this.#page.state.zero);
    const copies = LITERALS.map(({ language, write }) =>
      h(
        "button",
        { type: "button", "data-key": `${language} ${layer.key}`, "aria-label": `${words.copyAs(language)}: ${layer.title}`, onclick: () => void this.#page.copy(write(number)) },
        language,
      ),
    );
    const said = layer.error ?? layer.words;
    const numbers = h(
      "div",
      { class: "numbers" },
      h("code", { class: "hex" }, hex(number)),
      h("code", { class: "binary" }, binary(number)),
      h("div", { class: "buttons" }, ...copies),
    );
    return h(
      "article",
      { class: "layer", "data-layer": layer.name },
      h(
        "header",
        {},
        said === undefined && swatch(layer),
        h("h4", {}, capital(layer.title)),
        h("code", {}, layer.name),
        layer.error === undefined && h("span", { class: "count" }, texts.picture.squares(popcount(layer.squares))),
        h(
          "button",
          { type: "button", class: "close", "data-key": `hide ${layer.key}`, "aria-label": words.hide(layer.title), onclick: () => this.#toggle(layer.key, false) },
          "×",
        ),
      ),
      said === undefined ? null : h("p", { class: "note" }, sentence(said)),
      // A layer that cannot be shown has no set.
      layer.error === undefined &&
        h(
          "div",
          { class: "content" },
          layer.words === undefined && bitboard(layer.squares, { name: layer.title, color: layer.color, flipped: this.#page.state.flipped }),
          numbers,
        ),
    );
  }

  #zeroes(): HTMLElement {
    const radio = (zero: Zero) => {
      const input = h("input", { type: "radio", name: "zero", value: zero, checked: false });
      input.addEventListener("change", () => this.#page.change({ zero }));
      this.#zero.push(input);
      return h("label", { class: "check" }, input, zero);
    };
    return h("fieldset", { class: "zero" }, h("legend", {}, words.zero), radio("a1"), radio("a8"));
  }

  #presets(): HTMLElement {
    const buttons = (Object.keys(PRESETS) as Array<keyof typeof PRESETS>).map((name) =>
      h("button", { type: "button", onclick: () => this.#page.change({ layers: PRESETS[name] }) }, words.preset[name]),
    );
    return h("div", { class: "buttons", role: "group", "aria-label": words.presets }, ...buttons);
  }

  #custom(): HTMLElement {
    const input = h("input", { id: "layer-name", type: "text", list: "layer-names", spellcheck: "false", autocomplete: "off", title: words.customHint });
    const names = layerKinds().map((kind) => h("option", { value: kind.name + kind.form }, kind.description));
    const form = h(
      "form",
      { class: "text-line" },
      h("label", { for: "layer-name" }, words.custom),
      input,
      h("datalist", { id: "layer-names" }, ...names),
      h("button", { type: "submit" }, words.add),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add(input);
    });
    input.addEventListener("input", () => this.#refuse(input, null));
    return form;
  }

  #groups(): HTMLElement[] {
    const kinds = new Map(layerKinds().map((kind) => [kind.name + kind.form, kind]));
    const grouped = new Set(Object.values(GROUPS).flat());
    // This keeps layers that are new in the library.
    const other = [...kinds.keys()].filter((key) => !grouped.has(key) && key !== "board");
    const sections: Array<[string, readonly string[]]> = (Object.keys(GROUPS) as Group[]).map((group) => [
      words.groups[group],
      GROUPS[group],
    ]);
    if (other.length > 0) sections.push([words.other, other]);
    return sections.map(([title, keys], index) =>
      h(
        "details",
        { class: "group", open: index < 5 },
        h("summary", {}, title),
        ...keys.flatMap((key) => {
          const kind = kinds.get(key);
          return kind ? this.#kind(kind) : [];
        }),
      ),
    );
  }

  /** The boxes of a kind: one for each colour, or one for the chosen square. */
  #kind(kind: LayerInfo): HTMLElement[] {
    const named = (key: string) =>
      h("span", {}, h("b", {}, capital(titleOf(key))), " ", h("code", {}, key), h("span", { class: "meaning" }, kind.description));
    const box = (key: string) => {
      const input = h("input", { type: "checkbox", "data-key": key });
      input.addEventListener("change", () => this.#toggle(key, input.checked));
      this.#boxes.set(key, input);
      return h("label", { class: "check" }, input, named(key));
    };
    switch (kind.form) {
      case ":COLOR":
        return ["white", "black"].map((color) => box(`${kind.name}:${color}`));
      case ":SQ":
        return [box(`${kind.name}:*`)];
      case ":SQ-DIR": {
        // The control next to the box selects the direction.
        const select = h("select", { "aria-label": kind.name }, ...DIRECTIONS.map((name) => h("option", { value: name }, name)));
        const add = h("button", { type: "button", onclick: () => this.#toggle(`${kind.name}:*-${select.value}`, true) }, words.add);
        return [h("div", { class: "ray" }, named(kind.name + kind.form), select, add)];
      }
      case ":SQ-SQ": {
        const input = h("input", { type: "text", size: 5, placeholder: "e1-e8", "aria-label": kind.name });
        const add = h("button", { type: "button", onclick: () => this.#add(input, `${kind.name}:`) }, words.add);
        return [h("div", { class: "ray" }, named(kind.name + kind.form), input, add)];
      }
      default:
        return [box(kind.name)];
    }
  }
}
