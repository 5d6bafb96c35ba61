// The panel of methods: how the attacks of a piece are found, step by step.

import { methodKinds, methodSteps, type MethodInfo, type MethodSet, type MethodStep, type Role } from "../library.ts";

import { h } from "../dom.ts";
import { hex, popcount } from "../numbers.ts";
import type { Page, Panel } from "../page.ts";
import { bitboard } from "../picture.ts";
import { SetBoard } from "../set-board.ts";
import { isSquare, setOf, type Square } from "../squares.ts";
import type { State } from "../state.ts";
import { texts } from "../texts.ts";

const words = texts.methods;

/** The colours of sets, by their role in a step. */
const COLORS: Readonly<Record<MethodSet["role"], number>> = { input: 2, mask: 5, intermediate: 1, removed: 3, result: 4 };

/** Sets whose bits are not squares of the board as it stands. Their pictures show no pieces. */
const BITS = new Set(["mirrored", "mirrored_slider", "down", "multiplier", "product", "top", "index", "packed", "row"]);

/** The milliseconds for which a step is shown. */
const PACES = { slow: 3000, normal: 1500, fast: 500 } as const;
type Pace = keyof typeof PACES;

export class MethodsPanel implements Panel {
  readonly id = "methods";
  readonly #kinds: MethodInfo[] = methodKinds();
  #page!: Page;
  #steps: readonly MethodStep[] = [];
  #index = 0;
  #timer: number | null = null;
  /** The input that the steps were computed for. */
  #key = "";
  /** Does a click on the small board move the piece? If not, it changes the blockers. */
  #moves = false;

  #method!: HTMLSelectElement;
  #role!: HTMLSelectElement;
  #color!: HTMLSelectElement;
  #pace!: HTMLSelectElement;
  #board!: SetBoard;
  #about!: HTMLElement;
  #reset!: HTMLButtonElement;
  #slider!: HTMLInputElement;
  #play!: HTMLButtonElement;
  #buttons!: Record<"first" | "back" | "forward" | "last", HTMLButtonElement>;
  #step!: HTMLElement;

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    const set = (name: string, select: () => HTMLSelectElement) => () => page.set({ [name]: select().value, step: "" });
    this.#method = h(
      "select",
      { id: "method", onchange: set("method", () => this.#method) },
      ...this.#kinds.map(({ name, title }) => h("option", { value: name }, title)),
    );
    this.#role = h("select", { id: "method-role", onchange: set("role", () => this.#role) });
    this.#color = h(
      "select",
      { "aria-label": words.color, onchange: set("color", () => this.#color) },
      ...(["white", "black"] as const).map((color) => h("option", { value: color }, texts.colors[color])),
    );
    this.#board = new SetBoard(words.board, (square) => this.#choose(square));
    this.#about = h("div", { class: "about" });
    this.#reset = h("button", { type: "button", onclick: () => page.set({ occupied: "", step: "" }) }, words.fromBoard);
    host.append(
      h("p", {}, words.introduction),
      h(
        "div",
        { class: "choices" },
        h("label", { for: "method" }, words.method),
        this.#method,
        h("label", { for: "method-role" }, words.role),
        this.#role,
        this.#color,
      ),
      h("div", { class: "beside" }, this.#blockers(), this.#about),
      this.#controls(),
      (this.#step = h("section", { class: "step", "aria-label": words.step })),
    );
  }

  update(state: State): void {
    const kind = this.#kind(state);
    this.#method.value = kind.name;
    const role = this.#roleOf(state, kind);
    this.#role.replaceChildren(...kind.roles.map((it) => h("option", { value: it, selected: it === role }, texts.roles[it])));
    this.#role.value = role;
    const color = state.settings.color === "black" ? "black" : "white";
    this.#color.value = color;
    this.#color.hidden = role !== "pawn";
    this.#about.replaceChildren(
      h("h2", {}, kind.title),
      h("p", {}, words.about[kind.name as keyof typeof words.about] ?? ""),
      h("p", { class: "note" }, words.source(kind.source)),
    );
    const [square, occupied] = [this.#square(state), this.#occupied(state)];
    this.#board.update(occupied, state.flipped, square, 2);
    this.#reset.disabled = state.settings.occupied === undefined;
    const key = [kind.name, color, role, square, occupied].join();
    if (key !== this.#key) {
      this.#key = key;
      this.#pause();
      this.#steps = methodSteps(kind.name, color, role, square, occupied);
    }
    if (this.#timer === null) {
      const wanted = Number(state.settings.step ?? "1") - 1;
      this.#index = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), this.#steps.length - 1) : 0;
    }
    this.#draw();
  }

  hide(): void {
    this.#pause();
  }

  #kind(state: State): MethodInfo {
    return this.#kinds.find(({ name }) => name === state.settings.method) ?? this.#kinds[1]!;
  }

  #roleOf({ settings }: State, { roles }: MethodInfo): Role {
    return roles.find((role) => role === settings.role) ?? roles.find((role) => role === "rook")!;
  }

  #square({ settings, square }: State): Square {
    if (isSquare(settings.at)) return settings.at;
    return square ?? "d4";
  }

  #occupied({ settings }: State): bigint {
    if (/^[0-9a-f]{1,16}$/i.test(settings.occupied ?? "")) return BigInt(`0x${settings.occupied}`);
    return setOf(this.#page.view.pieces.map((piece) => piece.square));
  }

  #choose(square: Square): void {
    const { state } = this.#page;
    if (this.#moves) {
      this.#page.set({ at: square, step: "" });
      this.#page.announce(words.placed(texts.roles[this.#roleOf(state, this.#kind(state))], square));
      return;
    }
    const changed = this.#occupied(state) ^ setOf([square]);
    // Fix the piece's square, so that a later choice on the board does not change it.
    this.#page.set({ occupied: changed.toString(16), at: this.#square(state), step: "" });
  }

  #blockers(): HTMLElement {
    const radio = (label: string, moves: boolean) => {
      const input = h("input", { type: "radio", name: "method-click", checked: moves === this.#moves });
      input.addEventListener("change", () => (this.#moves = moves));
      return h("label", { class: "check" }, input, label);
    };
    return h(
      "div",
      { class: "blockers" },
      h("fieldset", {}, h("legend", {}, words.click), radio(words.clickBlocker, false), radio(words.clickPiece, true)),
      this.#board.element,
      h("div", { class: "buttons" }, this.#reset, h("button", { type: "button", onclick: () => this.#page.set({ occupied: "0", step: "" }) }, words.empty)),
    );
  }

  #controls(): HTMLElement {
    const button = (label: string, sign: string, to: () => number) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: () => this.#go(to()) }, sign);
    const last = () => this.#steps.length - 1;
    this.#buttons = {
      first: button(words.first, "«", () => 0),
      back: button(words.back, "‹", () => this.#index - 1),
      forward: button(words.forward, "›", () => this.#index + 1),
      last: button(words.last, "»", last),
    };
    this.#play = h("button", { type: "button", class: "play", onclick: () => (this.#timer === null ? this.#start() : this.#pause(true)) });
    this.#pace = h(
      "select",
      { "aria-label": words.pace, onchange: () => this.#timer !== null && this.#start() },
      ...(Object.keys(PACES) as Pace[]).map((pace) => h("option", { value: pace, selected: pace === "normal" }, words.paces[pace])),
    );
    this.#slider = h("input", { type: "range", min: 1, "aria-label": words.step });
    this.#slider.addEventListener("input", () => {
      this.#pause();
      this.#index = Number(this.#slider.value) - 1;
      this.#draw();
    });
    this.#slider.addEventListener("change", () => this.#go(Number(this.#slider.value) - 1));
    const { first, back, forward, last: end } = this.#buttons;
    return h("div", { class: "player" }, h("div", { class: "buttons" }, first, back, this.#play, forward, end, this.#pace), this.#slider);
  }

  /** Goes to a step, and keeps it in the address. */
  #go(index: number): void {
    this.#pause();
    const to = Math.min(Math.max(index, 0), this.#steps.length - 1);
    this.#page.set({ step: to === 0 ? "" : String(to + 1) });
    this.#announce();
  }

  #start(): void {
    this.#pause();
    if (this.#index === this.#steps.length - 1) this.#index = 0;
    this.#timer = window.setInterval(() => {
      this.#index += 1;
      // The address is only written at the end, because browsers limit how often it may change.
      if (this.#index >= this.#steps.length - 1) this.#pause(true);
      else this.#draw();
      this.#announce();
    }, PACES[this.#pace.value as Pace]);
    this.#draw();
    this.#announce();
  }

  #pause(keep = false): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    if (keep) this.#page.set({ step: this.#index === 0 ? "" : String(this.#index + 1) });
    else this.#draw();
  }

  #announce(): void {
    const step = this.#steps[this.#index];
    if (step) this.#page.announce(`${words.place(this.#index + 1, this.#steps.length)}. ${step.caption}`);
  }

  #draw(): void {
    const step = this.#steps[this.#index];
    if (!step) return;
    const [here, count] = [this.#index + 1, this.#steps.length];
    this.#slider.max = String(count);
    this.#slider.value = String(here);
    this.#slider.setAttribute("aria-valuetext", words.place(here, count));
    this.#buttons.first.disabled = this.#buttons.back.disabled = here === 1;
    this.#buttons.last.disabled = this.#buttons.forward.disabled = here === count;
    this.#play.textContent = this.#timer === null ? words.play : words.pause;
    const title = words.steps[step.name as keyof typeof words.steps] ?? step.name;
    this.#step.replaceChildren(
      h("h2", {}, `${words.place(here, count)}: ${title}`, h("span", { class: "part" }, words.part(step.part))),
      h("p", { class: "caption" }, step.caption),
      h("div", { class: "sets" }, ...step.sets.map((set) => this.#set(set))),
      h("pre", { class: "arithmetic", tabindex: 0, "aria-label": words.arithmetic }, step.arithmetic),
    );
  }

  #set(set: MethodSet): HTMLElement {
    const { state } = this.#page;
    const onBoard = BITS.has(set.name) ? {} : { square: this.#square(state), behind: this.#occupied(state) };
    const options = { name: set.name, color: COLORS[set.role], flipped: state.flipped, ...onBoard };
    return h(
      "figure",
      { class: `set ${set.role}`, "data-set": set.name, "data-value": `0x${set.squares.toString(16)}` },
      bitboard(set.squares, options),
      h(
        "figcaption",
        {},
        h("b", {}, set.name),
        h("span", {}, ` ${words.setRoles[set.role]}, ${texts.calculator.bits(popcount(set.squares))}`),
        h("code", {}, hex(set.squares)),
      ),
    );
  }
}
