// The calculator: named sets, an expression of them, and a picture of each of its parts.

import { calculate, calculatorFunctions, nameProblem, type CalculatedStep } from "../counting.ts";
import { layerKinds, type InputError } from "../library.ts";

import { h } from "../dom.ts";
import { hex, LITERALS, popcount } from "../numbers.ts";
import type { Mark, Page, Panel } from "../page.ts";
import { bitboard } from "../picture.ts";
import { SetBoard } from "../set-board.ts";
import { SQUARES, setOf, type Square } from "../squares.ts";
import type { State } from "../state.ts";
import { texts } from "../texts.ts";
import { words } from "../texts/calculator.ts";
import "../style/steps.css";

interface NamedSet {
  readonly name: string;
  readonly squares: bigint;
}

/** More sets would not fit into an address that mail programs keep intact. */
const MOST_SETS = 12;

/** Longer expressions are not written out in the legend. */
const LONGEST_NAME = 40;

const INITIAL_SETS: readonly NamedSet[] = [
  { name: "A", squares: 0xff00n },
  { name: "B", squares: 0x10200000n },
];
const INITIAL_EXPRESSION = "north(A) & ~B";

const OPERATORS = ["&", "|", "^", "~", "<<", ">>", "+", "-", "*", "(", ")"];

/** The sets in the form of the address: `A:ff00,B:10200000`, or `-` if there are none. */
function write(sets: readonly NamedSet[]): string {
  return sets.map(({ name, squares }) => `${name}:${squares.toString(16)}`).join(",") || "-";
}

function read(text: string | undefined): readonly NamedSet[] {
  if (text === undefined) return INITIAL_SETS;
  const sets: NamedSet[] = [];
  for (const part of text.split(",").slice(0, MOST_SETS)) {
    const match = /^(\w+):([0-9a-f]{1,16})$/i.exec(part);
    if (!match || nameProblem(match[1]!) !== undefined || sets.some(({ name }) => name === match[1])) continue;
    sets.push({ name: match[1]!, squares: BigInt(`0x${match[2]}`) });
  }
  return sets;
}

/**
 * Reads a number of 64 bits in the form of a program: `0xff`, `0b101` or `42`, with the suffixes of
 * Rust and C. Without a prefix, a number with letters or with 16 digits is hexadecimal.
 */
function readNumber(text: string): bigint | null {
  const plain = text.trim().toLowerCase().replace(/_?u64$|u?ll$/, "").replaceAll("_", "");
  const isHex = /^[0-9a-f]{16}$|^(?=.*[a-f])[0-9a-f]+$/.test(plain) && !/^0b/.test(plain);
  const literal = isHex ? `0x${plain}` : plain;
  if (!/^(0x[0-9a-f]+|0b[01]+|[0-9]+)$/.test(literal)) return null;
  const number = BigInt(literal);
  return number < 1n << 64n ? number : null;
}

/** The card of a set. It stays while the set changes, so that it keeps the focus. */
interface Card {
  readonly element: HTMLElement;
  update(set: NamedSet, index: number, flipped: boolean): void;
}

export class CalculatorPanel implements Panel {
  readonly id = "calculator";
  #page!: Page;
  #sets!: HTMLElement;
  #cards: Card[] = [];
  #add!: HTMLButtonElement;
  #expression!: HTMLInputElement;
  #error!: HTMLElement;
  #result!: HTMLElement;

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    this.#sets = h("div", { class: "named-sets" });
    this.#add = h("button", { type: "button", onclick: () => this.#append(0n) }, words.add);
    this.#expression = h("input", {
      id: "expression",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-describedby": "expression-error",
    });
    this.#expression.addEventListener("input", () => page.set({ expression: this.#expression.value || " " }));
    this.#error = h("p", { id: "expression-error", class: "error", role: "alert" });
    this.#result = h("div", { class: "calculated", role: "region", "aria-label": words.parts });
    host.append(
      h("p", {}, words.introduction),
      this.#sets,
      h("div", { class: "buttons" }, this.#add),
      h(
        "div",
        { class: "text-line expression" },
        h("label", { for: "expression" }, words.expression),
        this.#expression,
      ),
      this.#error,
      this.#keys(),
      this.#result,
      this.#help(),
      h("datalist", { id: "calculator-layers" }, ...layerKinds().map(({ name, form, description }) => h("option", { value: name + form }, description))),
    );
  }

  update(state: State): void {
    const sets = read(state.settings.sets);
    while (this.#cards.length > sets.length) this.#cards.pop()!.element.remove();
    sets.forEach((set, index) => {
      if (!this.#cards[index]) {
        const card = this.#card(index);
        this.#cards.push(card);
        this.#sets.append(card.element);
      }
      this.#cards[index]!.update(set, index, state.flipped);
    });
    this.#add.disabled = sets.length >= MOST_SETS;
    const expression = this.#text(state);
    if (this.#expression.value !== expression) this.#expression.value = expression;
    this.#calculate(sets, expression);
  }

  #text(state: State): string {
    const text = state.settings.expression;
    return text === undefined ? INITIAL_EXPRESSION : text === " " ? "" : text;
  }

  #calculate(sets: readonly NamedSet[], expression: string): void {
    let steps: CalculatedStep[] = [];
    this.#error.textContent = "";
    this.#expression.removeAttribute("aria-invalid");
    if (expression.trim() !== "") {
      try {
        const named = Object.fromEntries(sets.map(({ name, squares }) => [name, squares]));
        steps = calculate(this.#page.view, expression, named);
      } catch (thrown) {
        const { message, input, start, end, hint } = thrown as InputError;
        const wrong = input === expression ? input.slice(start, end).trim() : "";
        this.#expression.setAttribute("aria-invalid", "true");
        this.#error.textContent = words.error(message, wrong, start, hint);
      }
    }
    this.#showOnBoard(steps.at(-1));
    const shown = steps.map((step, index) => this.#part(step, index === steps.length - 1));
    this.#result.replaceChildren(...shown.reverse());
  }

  /** Marks the value of the whole expression on the main board, if it is a set. */
  #showOnBoard(whole: CalculatedStep | undefined): void {
    const squares = whole === undefined || whole.kind === "number" ? 0n : whole.kind === "square" ? setOf([SQUARES[Number(whole.value)]!]) : whole.value;
    const name = whole !== undefined && whole.text.length <= LONGEST_NAME ? whole.text : words.value;
    const marks: Mark[] = squares === 0n ? [] : [{ name, squares, color: 4, style: "tint" }];
    this.#page.setOverlay({ marks, arrows: [] }, this.id);
  }

  /** A part of the expression. The whole expression has more buttons. */
  #part(step: CalculatedStep, isWhole: boolean): HTMLElement {
    const square = step.kind === "square" ? SQUARES[Number(step.value)] : undefined;
    const shown = square === undefined ? step.value : setOf([square]);
    const value =
      step.kind === "number"
        ? h("output", { class: "number" }, step.value.toString())
        : square !== undefined
          ? h("output", { class: "number" }, words.square(square, step.value))
          : null;
    const literals = LITERALS.map(({ language, write: literal }) =>
      h("button", { type: "button", "aria-label": `${texts.layers.copyAs(language)}: ${step.text}`, onclick: () => void this.#page.copy(literal(step.value)) }, language),
    );
    return h(
      "figure",
      { class: isWhole ? "part whole" : "part", "data-text": step.text, "data-value": `0x${step.value.toString(16)}` },
      h("figcaption", {}, h("code", {}, step.text)),
      step.kind === "number" ? null : bitboard(shown, { name: step.text, color: isWhole ? 4 : 1, flipped: this.#page.state.flipped }),
      value,
      h("code", { class: "hex" }, hex(step.value)),
      h("span", { class: "count" }, texts.picture.bits(popcount(step.value))),
      isWhole
        ? h("div", { class: "buttons" }, h("button", { type: "button", class: "keep", onclick: () => this.#append(shown) }, words.keep), ...literals)
        : null,
    );
  }

  #current(): NamedSet[] {
    return [...read(this.#page.state.settings.sets)];
  }

  #store(sets: readonly NamedSet[]): void {
    this.#page.set({ sets: write(sets) });
  }

  #change(index: number, change: Partial<NamedSet>): void {
    const sets = this.#current();
    const set = sets[index];
    if (!set) return;
    sets[index] = { ...set, ...change };
    this.#store(sets);
  }

  #append(squares: bigint): void {
    const sets = this.#current();
    if (sets.length >= MOST_SETS) {
      this.#page.announce(words.full);
      return;
    }
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const name = letters.find((letter) => sets.every((set) => set.name !== letter))!;
    this.#store([...sets, { name, squares }]);
    this.#page.announce(words.added(name));
  }

  #card(index: number): Card {
    let shown: NamedSet = { name: "", squares: 0n };
    const toggle = (square: Square) => {
      this.#change(index, { squares: shown.squares ^ setOf([square]) });
    };
    const board = new SetBoard("", toggle);
    const problem = h("p", { class: "error", role: "alert" });
    const name = h("input", { class: "name", type: "text", "aria-label": words.name, spellcheck: "false", autocomplete: "off" });
    name.addEventListener("change", () => {
      const wanted = name.value.trim();
      const taken = this.#current().some((set, other) => other !== index && set.name === wanted);
      const wrong = taken ? words.taken(wanted) : nameProblem(wanted);
      problem.textContent = wrong ?? "";
      if (wrong === undefined) this.#change(index, { name: wanted });
      else name.value = shown.name;
    });
    const number = h("input", { class: "hex", type: "text", "aria-label": words.hex, spellcheck: "false", autocomplete: "off" });
    number.addEventListener("change", () => {
      const squares = readNumber(number.value);
      problem.textContent = squares === null ? words.notHex(number.value) : "";
      if (squares !== null) this.#change(index, { squares });
      number.value = hex(squares ?? shown.squares);
    });
    const layer = h("input", { type: "text", list: "calculator-layers", "aria-label": words.layer, placeholder: words.layerHint, spellcheck: "false", autocomplete: "off" });
    const take = h("form", { class: "take" }, layer, h("button", { type: "submit" }, words.take));
    take.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = layer.value.trim().replaceAll(",", "-");
      if (wanted === "") return;
      const found = this.#page.scene.layers([wanted])[0];
      problem.textContent = found?.error ?? "";
      if (!found || found.error !== undefined) return;
      layer.value = "";
      this.#change(index, { squares: found.squares });
    });
    const count = h("span", { class: "count" });
    const remove = h("button", { type: "button", class: "close", onclick: () => this.#remove(index) }, "×");
    const clear = h("button", { type: "button", onclick: () => this.#change(index, { squares: 0n }) }, words.clear);
    const invert = h("button", { type: "button", onclick: () => this.#change(index, { squares: shown.squares ^ 0xffff_ffff_ffff_ffffn }) }, words.invert);
    const element = h(
      "article",
      { class: "named-set" },
      h("header", {}, name, count, remove),
      board.element,
      number,
      h("div", { class: "buttons" }, clear, invert),
      take,
      problem,
    );
    const update = (set: NamedSet, place: number, flipped: boolean) => {
      if (shown.name !== set.name || shown.squares !== set.squares) problem.textContent = "";
      shown = set;
      element.dataset.name = set.name;
      board.element.setAttribute("aria-label", words.board(set.name));
      board.update(set.squares, flipped, null, (place % 8) + 1);
      if (document.activeElement !== name) name.value = set.name;
      number.value = hex(set.squares);
      count.textContent = texts.picture.bits(popcount(set.squares));
      remove.setAttribute("aria-label", words.remove(set.name));
      clear.setAttribute("aria-label", `${words.clear}: ${set.name}`);
      invert.setAttribute("aria-label", `${words.invert}: ${set.name}`);
    };
    return { element, update };
  }

  #remove(index: number): void {
    const sets = this.#current();
    const [removed] = sets.splice(index, 1);
    this.#store(sets);
    if (removed) this.#page.announce(words.removed(removed.name));
    // Focus the card that is now in this place, or the button that adds a card.
    (this.#cards[index]?.element.querySelector<HTMLElement>(".close") ?? this.#add).focus();
  }

  /** Buttons that write operators and functions into the expression. */
  #keys(): HTMLElement {
    const operators = OPERATORS.map((sign) =>
      h("button", { type: "button", "aria-label": words.operators[sign as keyof typeof words.operators] ?? sign, onclick: () => this.#insert(sign) }, sign),
    );
    const functions = calculatorFunctions().map(({ name, description }) =>
      h("button", { type: "button", title: description, onclick: () => this.#insert(`${name}(`) }, name),
    );
    return h(
      "div",
      { class: "keys" },
      h("div", { class: "buttons", role: "group", "aria-label": words.operatorButtons }, ...operators),
      h("details", {}, h("summary", {}, words.functionButtons), h("div", { class: "buttons" }, ...functions)),
    );
  }

  /** Inserts a text at the cursor. A function encloses the selection, or waits for its argument. */
  #insert(text: string): void {
    const input = this.#expression;
    const [start, end] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length];
    const selected = input.value.slice(start, end);
    const before = input.value.slice(0, start);
    const isFunction = text.length > 1 && text.endsWith("(");
    const written = isFunction
      ? `${text}${selected}${selected === "" ? "" : ")"}`
      : text === "(" || text === ")" || text === "~"
        ? text
        : `${before === "" || before.endsWith(" ") ? "" : " "}${text} `;
    input.setRangeText(written, start, end, "end");
    input.focus();
    input.dispatchEvent(new Event("input"));
  }

  #help(): HTMLElement {
    const rows = calculatorFunctions().map(({ form, description }) =>
      h("tr", {}, h("th", { scope: "row" }, h("code", {}, form)), h("td", {}, description)),
    );
    return h(
      "details",
      { class: "help" },
      h("summary", {}, words.help),
      ...words.rules.map((rule) => h("p", {}, rule)),
      h("table", {}, h("tbody", {}, ...rows)),
    );
  }
}
