// Bits on the board: a square holds a bit of a number, in the colours of those that made it.

import { h } from "../dom.ts";
import type { Square } from "../squares.ts";

/** One that has made a bit: its colour, from 1 to 12 or 0 for none, and its short name. */
export interface Maker {
  readonly color: number;
  readonly name: string;
}

export interface ShownBit {
  readonly square: Square;
  /** Without a maker, the bit is 0. */
  readonly makers: readonly Maker[];
  /** `place` colours the whole square below its piece; `quiet` is a bit that is not the subject. */
  readonly look: "bit" | "quiet" | "place";
  /** Do two bits meet here, and make one of the next place? */
  readonly carries?: boolean;
  /** The colour of a frame, such as that of the blocker that is the subject. */
  readonly frame?: number;
  /** The same for people who cannot see it. */
  readonly label: string;
}

/** As many names as fit into a square. */
const MOST_NAMES = 3;

/** The names come from the style sheet: the label of the square has them in other words. */
export function drawBit({ makers, look, carries, frame }: ShownBit): HTMLElement[] {
  const hasNames = look !== "place" && makers.length <= MOST_NAMES;
  const parts = makers.map(({ color, name }) => h("span", { class: `copy-${color}`, "data-name": hasNames ? name : null }));
  const drawn = [];
  if (parts.length > 0) drawn.push(h("span", { class: `bit ${look}`, "aria-hidden": "true" }, ...parts));
  if (frame !== undefined) drawn.push(h("span", { class: `bit-frame copy-${frame}`, "aria-hidden": "true" }));
  if (carries) drawn.push(h("span", { class: `carries${makers.length > 0 ? " small" : ""}`, "aria-hidden": "true" }));
  return drawn;
}
