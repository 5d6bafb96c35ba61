// The panel of methods: how the attacks of a piece are found, step by step. The piece and what blocks
// it stand on the main board.

import { methodKinds, methodSteps, type MethodInfo, type MethodSet, type MethodStep, type Role } from "../counting.ts";

import { h } from "../dom.ts";
import { hex, popcount } from "../numbers.ts";
import type { Mark, MarkStyle, Page, Panel, ShownPiece, Use } from "../page.ts";
import { bitboard } from "../picture.ts";
import { has, isSquare, rows, setOf, SQUARES, type Square } from "../squares.ts";
import type { State } from "../state.ts";
import { texts } from "../texts.ts";
import { words } from "../texts/methods.ts";
import { isOfBits, MagicStep } from "./magic.ts";
import "../style/steps.css";

/** The colours of sets, by their role in a step. */
const COLORS: Readonly<Record<MethodSet["role"], number>> = { input: 2, mask: 5, intermediate: 1, removed: 3, result: 4 };

/** How sets are marked on the board, by their role in a step. */
const STYLES: Readonly<Record<MethodSet["role"], MarkStyle>> = { input: "outline", mask: "dashed", intermediate: "hatch", removed: "corner-1", result: "tint" };

/** These stand on the board as pieces. */
const PIECES = new Set(["slider", "occupied", "piece"]);

/** Sets whose bits are not squares of the board as it stands. Their pictures show no pieces. */
const BITS = new Set(["mirrored", "mirrored_slider", "down", "index", "packed", "row"]);

/** The milliseconds for which a step is shown. */
const PACES = { slow: 3000, normal: 1500, fast: 500 } as const;
type Pace = keyof typeof PACES;

export class MethodsPanel implements Panel, Use {
  readonly id = "methods";
  readonly #kinds: MethodInfo[] = methodKinds();
  #page!: Page;
  #steps: readonly MethodStep[] = [];
  #index = 0;
  #timer: number | null = null;
  /** The input that the steps were computed for. */
  #key = "";
  /** Has the piece been taken up, so that the next click puts it down? */
  #isLifted = false;

  #method!: HTMLSelectElement;
  #role!: HTMLSelectElement;
  #color!: HTMLSelectElement;
  #pace!: HTMLSelectElement;
  #about!: HTMLElement;
  readonly #hint = h("p", { class: "note hint" }, words.hint);
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
      // The title of the panel has the formula as well.
      ...this.#kinds.map(({ name, title }) => h("option", { value: name }, title.split(":")[0])),
    );
    this.#role = h("select", { id: "method-role", onchange: set("role", () => this.#role) });
    this.#color = h(
      "select",
      { "aria-label": words.color, onchange: set("color", () => this.#color) },
      ...(["white", "black"] as const).map((color) => h("option", { value: color }, texts.colors[color])),
    );
    this.#about = h("div", { class: "about" });
    this.#reset = h("button", { type: "button", onclick: () => page.set({ occupied: "", step: "" }) }, words.fromBoard);
    host.append(
      h(
        "div",
        { class: "choices" },
        h("label", { for: "method" }, words.method),
        this.#method,
        h("label", { for: "method-role" }, words.role),
        this.#role,
        this.#color,
      ),
      this.#controls(),
      this.#hint,
      (this.#step = h("section", { class: "step", "aria-label": words.step })),
      h("div", { class: "buttons" }, this.#reset, h("button", { type: "button", onclick: () => page.set({ occupied: "0", step: "" }) }, words.empty)),
      this.#about,
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
    this.#reset.disabled = state.settings.occupied === undefined;
    const key = [kind.name, color, role, square, occupied].join();
    if (key !== this.#key) {
      this.#key = key;
      this.#pause();
      this.#steps = methodSteps(kind.name, color, role, square, occupied);
    }
    const wanted = Number(state.settings.step ?? "1") - 1;
    this.#index = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), this.#steps.length - 1) : 0;
    this.#hint.dataset["step"] = String(this.#index + 1);
    this.#draw();
  }

  hide(): void {
    this.#isLifted = false;
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

  /** What a click on the board does. */
  get use(): Use {
    return this;
  }

  /** A click on the piece takes it up, and the next click puts it down. Any other click adds or removes a blocker. */
  choose(square: Square): void {
    const at = this.#square(this.#page.state);
    if (this.#isLifted) {
      this.#move(square);
    } else if (square === at) {
      this.#isLifted = true;
      this.#page.announce(words.lifted(this.#pieceName()));
      this.#draw();
    } else {
      const changed = this.#occupied(this.#page.state) ^ setOf([square]);
      // Fix the piece's square, so that a later choice on the board does not change it.
      this.#page.set({ occupied: changed.toString(16), at, step: "" });
      this.#page.announce(has(changed, square) ? words.added(square) : words.removed(square));
    }
  }

  drop(from: Square, to: Square | null): void {
    if (to === null || to === from) return;
    if (from === this.#square(this.#page.state)) {
      this.#move(to);
      return;
    }
    const occupied = (this.#occupied(this.#page.state) & ~setOf([from])) | setOf([to]);
    this.#page.set({ occupied: occupied.toString(16), at: this.#square(this.#page.state), step: "" });
  }

  drag(): void {
    // Nothing changes before the piece is put down.
  }

  targets(): ReadonlySet<Square> {
    return new Set(this.#isLifted ? SQUARES.filter((square) => square !== this.#square(this.#page.state)) : []);
  }

  #move(to: Square): void {
    this.#isLifted = false;
    this.#page.set({ at: to, step: "" });
    this.#page.announce(words.placed(this.#pieceName(), to));
  }

  #pieceName(): string {
    const { state } = this.#page;
    return texts.roles[this.#roleOf(state, this.#kind(state))];
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
    if (this.#index === this.#steps.length - 1) this.#page.set({ step: "" });
    this.#timer = window.setInterval(() => {
      const isLast = this.#index + 1 >= this.#steps.length - 1;
      if (isLast) this.#pause();
      // The step is kept in the address, so that the panel shows it again after another one.
      this.#page.set({ step: String(this.#index + 2) });
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
    const magic = this.#kind(this.#page.state).name === "magic" ? new MagicStep(this.#steps, this.#index) : undefined;
    const list = magic?.list();
    // What the board shows bit by bit needs no pictures.
    const pictures = isOfBits(step) ? [] : [this.#bits(step), h("div", { class: "sets" }, ...step.sets.map((set) => this.#set(set)))];
    const title = words.steps[step.name as keyof typeof words.steps] ?? step.name;
    this.#step.replaceChildren(
      h("h2", {}, `${words.place(here, count)}: ${title}`, h("span", { class: "part" }, words.part(step.part))),
      h("p", { class: "caption" }, step.caption),
      h("pre", { class: "arithmetic", tabindex: 0, "aria-label": words.arithmetic }, step.arithmetic),
      ...(list ? [list] : []),
      h("div", { class: "bits-and-sets" }, ...pictures),
    );
    // Among bits of numbers, only the blocker whose copy is added has its place.
    const pieces = isOfBits(step) ? this.#pieces().filter(({ square }) => square === magic?.current) : this.#pieces();
    this.#page.setOverlay({ marks: this.#marks(step, magic), arrows: [], bits: magic?.bits() ?? [], pieces }, this.id);
  }

  /** The sets of a step on the main board: those whose bits are squares of it. */
  #marks(step: MethodStep, magic?: MagicStep): Mark[] {
    if (magic) {
      // The rest is in the colours of the blockers.
      const shown = step.sets.filter(({ name }) => ["mask", "top", "attacks"].includes(name));
      return shown.map(({ name, squares, role }) => ({ name, squares, style: "tint", color: COLORS[role] }));
    }
    const free: MarkStyle[] = ["outline", "dashed", "corner-1", "corner-2", "corner-3", "corner-4", "hatch", "tint"];
    const marks: Mark[] = [];
    for (const { name, squares, role } of step.sets.filter((set) => !BITS.has(set.name) && !PIECES.has(set.name))) {
      const wanted = STYLES[role];
      const style = free.includes(wanted) ? wanted : free[0]!;
      free.splice(free.indexOf(style), 1);
      marks.push({ name, squares, style, color: COLORS[role] });
    }
    return marks;
  }

  /** The pieces of the position, those that are taken away, and blockers in their own right. */
  #pieces(): ShownPiece[] {
    const { state, view } = this.#page;
    const [at, occupied] = [this.#square(state), this.#occupied(state)];
    const there = view.pieces.filter((piece) => piece.square !== at);
    const shown: ShownPiece[] = there.map((piece) => (has(occupied, piece.square) ? piece : { ...piece, kind: "absent" }));
    const bare = SQUARES.filter((square) => has(occupied, square) && square !== at && !there.some((piece) => piece.square === square));
    shown.push(...bare.map((square): ShownPiece => ({ square, color: "black", role: "pawn", kind: "blocker" })));
    const color = state.settings["color"] === "black" ? "black" : "white";
    shown.push({ square: at, color, role: this.#roleOf(state, this.#kind(state)), kind: "slider" });
    return shown;
  }

  /**
   * The 64 bits that the step makes. Those that differ from the step's first set stand out. If the
   * step makes a number, these are the bits that it is taken from, and those under the mask stand out.
   */
  #bits(step: MethodStep): HTMLElement {
    const find = (isIt: (role: MethodSet["role"]) => boolean) => step.sets.find(({ role }) => isIt(role));
    const [taken, mask] = [find((role) => role === "input"), find((role) => role === "mask")];
    const number = step.number !== undefined && !find((role) => role === "intermediate") && taken && mask;
    const made = number ? taken : (find((role) => role === "intermediate") ?? find((role) => role !== "input") ?? step.sets[0]!);
    const before = number ? made.squares ^ mask.squares : (step.sets.find((set) => set !== made)?.squares ?? made.squares);
    const cells = rows(false)
      .flat()
      .map((square) => {
        const isOne = has(made.squares, square);
        const isChanged = isOne !== has(before, square);
        return h("span", { class: `${isOne ? "one" : "zero"}${isChanged ? " changed" : ""}` }, isOne ? "1" : "0");
      });
    return h(
      "figure",
      { class: "bits" },
      h("figcaption", {}, h("b", {}, made.name), h("code", {}, hex(made.squares))),
      h("div", { class: "pattern", role: "img", "aria-label": words.bits(made.name, popcount(made.squares)) }, ...cells),
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
        h("span", {}, ` ${words.setRoles[set.role]}, ${texts.picture.bits(popcount(set.squares))}`),
        h("code", {}, hex(set.squares)),
      ),
    );
  }
}
