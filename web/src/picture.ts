// A small picture of a set of squares, with its squares as text.

import { h, svg } from "./dom.ts";
import { has, isLight, rows, squaresOf, type Square } from "./squares.ts";
import { texts } from "./texts.ts";

export interface PictureOptions {
  /** The name of the set, for people who cannot see the picture. */
  readonly name: string;
  readonly flipped?: boolean;
  /** The colour, from 1 to 8. */
  readonly color?: number;
  /** A square with a frame, such as that of a slider. */
  readonly square?: Square | null;
  /** A set in the background, such as the occupied squares. */
  readonly behind?: bigint;
}

/** A picture of a set. Its text is the name of the set and its squares. */
export function bitboard(set: bigint, options: PictureOptions): HTMLElement {
  const { name, flipped = false, color = 1, square = null, behind = 0n } = options;
  const drawing = svg("svg", {
    class: "bitboard",
    viewBox: "0 0 8 8",
    role: "img",
    "aria-label": texts.picture.label(name, squaresOf(set)),
  });
  rows(flipped).forEach((row, y) =>
    row.forEach((at, x) => {
      const box = { x, y, width: 1, height: 1 };
      drawing.append(svg("rect", { ...box, class: isLight(at) ? "light" : "dark" }));
      if (has(behind, at)) drawing.append(svg("circle", { class: "behind", cx: x + 0.5, cy: y + 0.5, r: 0.2 }));
      if (has(set, at)) {
        const inner = { x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8, rx: 0.12 };
        drawing.append(svg("rect", { ...inner, class: `bit color-${color}` }));
      }
      if (at === square) {
        const frame = { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.12 };
        drawing.append(svg("rect", { ...frame, class: "frame" }));
      }
    }),
  );
  return h("span", { class: "picture" }, drawing);
}
