// The controls around the board: the position as text, named positions, moves as text, the line.

import { standardPositions } from "./library.ts";

import type { Play } from "./board/play.ts";
import { h, replace } from "./dom.ts";
import { EXAMPLES } from "./examples.ts";
import type { Page } from "./page.ts";
import { errorText } from "./sentences.ts";
import type { Theme } from "./state.ts";
import { texts } from "./texts.ts";

const words = texts.controls;

/** The FEN, the named positions, and buttons for the whole page. */
export class PositionBar {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #fen: HTMLInputElement;
  readonly #error: HTMLElement;
  readonly #named: HTMLSelectElement;
  readonly #edit: HTMLButtonElement;
  /** The last position that the field has shown. */
  #shown = "";
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #flip: HTMLButtonElement;
  readonly #theme: HTMLSelectElement;

  constructor(page: Page) {
    this.#page = page;
    this.#fen = h("input", {
      id: "fen",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-describedby": "fen-error",
    });
    this.#error = h("p", { id: "fen-error", class: "error", role: "alert" });
    const fenForm = h(
      "form",
      { class: "text-line" },
      h("label", { for: "fen" }, words.fen),
      this.#fen,
      h("button", { type: "submit" }, words.load),
    );
    this.#fen.title = words.fenHint;
    fenForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#load(this.#fen.value.trim());
    });
    this.#named = this.#positions();
    const button = (text: string, click: () => void) => h("button", { type: "button", onclick: click }, text);
    this.#undo = button(words.undo, () => page.undo());
    this.#redo = button(words.redo, () => page.redo());
    this.#flip = button(words.flip, () => page.change({ flipped: !page.state.flipped }));
    this.#edit = button(words.edit, () => page.change({ editing: !page.state.editing, square: null }));
    this.#theme = h(
      "select",
      { "aria-label": words.theme, onchange: () => page.change({ theme: this.#theme.value as Theme }) },
      ...(Object.keys(words.themes) as Theme[]).map((theme) => h("option", { value: theme }, words.themes[theme])),
    );
    this.element = h(
      "section",
      { class: "position-bar", "aria-label": words.label },
      fenForm,
      this.#error,
      h(
        "div",
        { class: "buttons" },
        this.#named,
        this.#undo,
        this.#redo,
        this.#flip,
        this.#edit,
        button(words.link, () => void page.copy(location.href)),
        this.#theme,
      ),
    );
  }

  update(): void {
    const { view, state } = this.#page;
    const error = this.#page.isErrorOfMoves ? null : this.#page.error;
    if (error) {
      this.#fen.value = error.input;
    } else if (this.#shown !== view.fen) {
      // A text that the user is writing stays until the position changes.
      this.#fen.value = this.#shown = view.fen;
    }
    this.#fen.setAttribute("aria-invalid", String(error !== null));
    this.#error.textContent = error ? errorText(error) : "";
    setDisabled(this.#undo, !this.#page.canUndo);
    setDisabled(this.#redo, !this.#page.canRedo);
    this.#flip.setAttribute("aria-pressed", String(state.flipped));
    this.#edit.setAttribute("aria-pressed", String(state.editing));
    this.#theme.value = state.theme;
    const isNamed = [...this.#named.options].some((option) => option.value === state.start);
    this.#named.value = isNamed ? state.start : "";
  }

  #load(text: string): void {
    this.#shown = "";
    if (this.#page.change({ start: text, moves: [], ply: 0, square: null })) return;
    const { start, end } = this.#page.error!;
    this.#fen.value = text;
    this.#fen.focus();
    this.#fen.setSelectionRange(start, Math.max(end, start));
  }

  #positions(): HTMLSelectElement {
    const examples = Object.keys(EXAMPLES) as Array<keyof typeof EXAMPLES>;
    const select = h(
      "select",
      { "aria-label": words.named },
      h("option", { value: "" }, words.choose),
      h(
        "optgroup",
        { label: words.standard },
        ...standardPositions().map(({ name, description }) =>
          h("option", { value: name }, `${name}: ${description}`),
        ),
      ),
      h(
        "optgroup",
        { label: words.examples },
        ...examples.map((name) => h("option", { value: EXAMPLES[name] }, words.example[name])),
      ),
    );
    select.addEventListener("change", () => {
      if (select.value !== "") this.#load(select.value);
    });
    return select;
  }

}

/** The controls below the board: the side to move, a field for moves, the line of moves. */
export class LineBar {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #status: HTMLElement;
  readonly #answer: HTMLElement;
  readonly #moves: HTMLElement;
  readonly #steps: HTMLButtonElement[];

  constructor(page: Page, play: () => Play) {
    this.#page = page;
    this.#status = h("p", { class: "status" });
    this.#answer = h("p", { class: "answer", role: "status" });
    const input = h("input", {
      id: "move",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      title: words.moveHint,
    });
    const form = h(
      "form",
      { class: "text-line" },
      h("label", { for: "move" }, words.move),
      input,
      h("button", { type: "submit" }, words.play),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim() !== "" && play().write(input.value)) input.value = "";
    });
    const step = (text: string, sign: string, to: () => number) =>
      h("button", { type: "button", "aria-label": text, title: text, onclick: () => page.change({ ply: to(), square: null }) }, sign);
    this.#steps = [
      step(words.first, "«", () => 0),
      step(words.previous, "‹", () => Math.max(0, page.state.ply - 1)),
      step(words.next, "›", () => Math.min(page.state.moves.length, page.state.ply + 1)),
      step(words.last, "»", () => page.state.moves.length),
    ];
    this.#moves = h("ol", { class: "line", "aria-label": words.line });
    this.element = h(
      "section",
      { class: "line-bar", "aria-label": words.line },
      this.#status,
      form,
      this.#answer,
      h("div", { class: "buttons steps" }, ...this.#steps),
      this.#moves,
    );
  }

  /** Shows a sentence about the last attempted move. */
  say(text: string, isBad: boolean): void {
    this.#answer.textContent = text;
    this.#answer.classList.toggle("error", isBad);
  }

  /** The position in a few words: the last move, and who is to move. */
  summary(): string {
    const last = this.#page.line[this.#page.state.ply - 1];
    return `${last ? `${last.san}. ` : ""}${this.#status.textContent ?? ""}`;
  }

  update(): void {
    const { view, line, state } = this.#page;
    const parts = [
      view.error !== undefined
        ? words.invalid(view.error)
        : view.ending
          ? words.ended(view.ending)
          : words.toMove(view.turn) + (view.check ? `, ${words.check}` : ""),
      ...(view.claim ? [words.claim(view.claim)] : []),
      ...view.remarks.map(words.remark),
    ];
    this.#status.textContent = parts.join(" ");
    const { error, isErrorOfMoves } = this.#page;
    if (error && isErrorOfMoves) this.say(errorText(error), true);
    const [first, previous, next, last] = this.#steps as [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];
    for (const button of [first, previous]) setDisabled(button, state.ply === 0);
    for (const button of [next, last]) setDisabled(button, state.ply === state.moves.length);
    const items = line.map((move, index) => {
      const number = move.color === "white" ? `${move.number}. ` : index === 0 ? `${move.number}... ` : "";
      const isHere = index + 1 === state.ply;
      return h(
        "li",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, number),
        h(
          "button",
          {
            type: "button",
            class: index < state.ply ? "played" : "ahead",
            "aria-current": isHere ? "true" : null,
            "data-key": index,
            onclick: () => this.#page.change({ ply: index + 1, square: null }),
          },
          move.san,
        ),
      );
    });
    replace(this.#moves, ...(items.length > 0 ? items : [h("li", { class: "empty" }, words.noMoves)]));
    // Scrolls a long line so that the current move is visible.
    const here = this.#moves.querySelector<HTMLElement>("[aria-current]");
    if (here) this.#moves.scrollTop = here.offsetTop - this.#moves.offsetTop - this.#moves.clientHeight / 2;
  }
}

/** A button that has no effect now. It keeps the focus, which a disabled button would lose. */
function setDisabled(button: HTMLButtonElement, isDisabled: boolean): void {
  button.setAttribute("aria-disabled", String(isDisabled));
}
