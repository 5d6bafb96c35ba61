// The multiplication of the magic look-up, bit by bit: what the board shows, and the list beside it.

import type { MethodStep } from "../counting.ts";

import { drawBit, type Maker, type ShownBit } from "../board/bits.ts";
import { h } from "../dom.ts";
import { has, numberOf, SQUARES, squaresOf, type Square } from "../squares.ts";
import { words } from "../texts/methods.ts";

/** The steps whose sets are bits of numbers: on the board they take the place of the pieces. */
const OF_BITS = ["multiply", "copy", "index"];

export const isOfBits = ({ name }: MethodStep): boolean => OF_BITS.includes(name);

/** A step, and what the steps before it have found out about the same part. */
export class MagicStep {
  readonly #step: MethodStep;
  readonly #before: readonly MethodStep[];
  readonly #makers: ReadonlyMap<Square, Maker>;

  constructor(steps: readonly MethodStep[], index: number) {
    this.#step = steps[index]!;
    this.#before = steps.slice(0, index + 1).filter(({ part }) => part === this.#step.part);
    const blockers = this.#before.find(({ name }) => name === "blockers")?.traces ?? [];
    this.#makers = new Map(blockers.map(({ blocker }, at) => [blocker, { color: at + 1, name: blocker }]));
  }

  /** The blockers whose squares are the subject, or none. */
  get blockers(): readonly Square[] {
    return [...this.#makers.keys()];
  }

  /** The blocker whose copy is added. */
  get current(): Square | undefined {
    if (this.#step.name !== "copy") return undefined;
    return this.blockers[this.#before.filter(({ name }) => name === "copy").length - 1];
  }

  bits(): ShownBit[] {
    switch (this.#step.name) {
      case "multiply":
        return squaresOf(this.#set("multiplier")).map((square) => ({ square, makers: [{ color: 0, name: "1" }], look: "bit", label: words.magic.ofNumber }));
      case "copy":
        return this.#sum();
      case "index":
        return this.#product();
      default:
        return [...this.#makers].map(([square, maker]) => ({ square, makers: [maker], look: "place", label: words.magic.blocker }));
    }
  }

  /** The blockers and the shifts of their copies, or the index, each bit in the colours of its makers. */
  list(): HTMLElement | null {
    if (this.#step.name === "index") return this.#index();
    if (this.blockers.length === 0 || this.#step.name === "attacks") return null;
    const at = this.current === undefined ? -1 : this.blockers.indexOf(this.current);
    const items = [...this.#makers].map(([square, maker], index) =>
      h(
        "li",
        { class: index > at ? "ahead" : null, "aria-current": index === at ? "step" : null },
        ...drawBit({ square, makers: [maker], look: "bit", label: "" }),
        h("span", { class: "visually-hidden" }, words.magic.copy(square)),
        h("code", {}, `<< ${numberOf(square)}`),
      ),
    );
    return h("ol", { class: "copies", "aria-label": words.magic.copies }, ...items);
  }

  #set(name: string): bigint {
    return this.#step.sets.find((set) => set.name === name)?.squares ?? 0n;
  }

  #makersOf(square: Square, { traces } = this.#step): Maker[] {
    return traces.filter(({ squares }) => has(squares, square)).map(({ blocker }) => this.#makers.get(blocker)!);
  }

  /** The sum so far. The bits of the copy that is added stand out. */
  #sum(): ShownBit[] {
    const { current } = this;
    const met = this.#set("met");
    const shown: ShownBit[] = [];
    for (const square of SQUARES) {
      const makers = this.#makersOf(square);
      const carries = has(met, square);
      const isBlocker = square === current;
      if (makers.length === 0 && !carries && !isBlocker) continue;
      const isNew = makers.some(({ name }) => name === current);
      const said = [isBlocker && words.magic.current, makers.length > 0 && words.magic.from(names(makers)), carries && words.magic.carries];
      const frame = isBlocker ? { frame: this.#makers.get(square)!.color } : {};
      shown.push({ square, makers, look: isNew ? "bit" : "quiet", carries, ...frame, label: said.filter(Boolean).join(", ") });
    }
    return shown;
  }

  /** The product. Its top bits stand out. */
  #product(): ShownBit[] {
    const sum = this.#before.findLast(({ name }) => name === "copy");
    const top = this.#set("top");
    return squaresOf(this.#set("product")).map((square) => {
      const makers = this.#makersOf(square, sum);
      return { square, makers, look: has(top, square) ? "bit" : "quiet", label: words.magic.from(names(makers)) };
    });
  }

  #index(): HTMLElement {
    const top = squaresOf(this.#set("top")).reverse();
    const items = top.map((square) => {
      const makers = this.#makersOf(square);
      const said = makers.length > 0 ? words.magic.one(square, names(makers)) : words.magic.zero(square);
      const drawn = makers.length > 0 ? drawBit({ square, makers: makers.map(({ color }) => ({ color, name: makers.length > 1 ? "" : "1" })), look: "bit", label: "" }) : [h("span", { class: "zero", "aria-hidden": "true" }, "0")];
      return h("li", { "data-bit": square }, ...drawn, h("span", { class: "visually-hidden" }, said), h("span", { class: "makers", "aria-hidden": "true" }, names(makers)));
    });
    return h("ol", { class: "index-bits", "aria-label": words.magic.index(this.#step.number ?? 0n) }, ...items);
  }
}

const names = (makers: readonly Maker[]): string => makers.map(({ name }) => name).join(" + ");
