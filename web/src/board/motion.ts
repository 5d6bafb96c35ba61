// The motion of pieces from one position to the next.

import type { ShownPiece } from "../page.ts";
import { numberOf, type Square } from "../squares.ts";

const DURATION = 150;
/** A move moves at most two pieces, and so does its retraction. More is another position. */
const MOST = 2;
const still = matchMedia("(prefers-reduced-motion: reduce)");

type Pieces = ReadonlyMap<Square, ShownPiece>;

/** Lets pieces slide to where they are now, but not the one that was dropped there. */
export function slide(before: Pieces, now: Pieces, cell: (square: Square) => HTMLElement, dropped: Square | null): void {
  if (still.matches) return;
  const moved = pairs(before, now);
  if (moved.length > MOST) return;
  for (const [from, to] of moved.filter(([, to]) => to !== dropped)) {
    const [start, end] = [cell(from).getBoundingClientRect(), cell(to).getBoundingClientRect()];
    const transform = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
    // On its way it is above the pieces that it passes.
    cell(to).querySelector(".piece")?.animate([{ transform, zIndex: 3 }, { transform: "none", zIndex: 3 }], { duration: DURATION, easing: "ease-out" });
  }
}

/** Where pieces were and where they are. Of several equal ones, the nearest has moved. */
function pairs(before: Pieces, now: Pieces): [Square, Square][] {
  const isSame = (a: ShownPiece | undefined, b: ShownPiece) => a?.color === b.color && a.role === b.role;
  const gone = [...before.values()].filter((piece) => !isSame(now.get(piece.square), piece));
  const come = [...now.values()].filter((piece) => !isSame(before.get(piece.square), piece));
  return come.flatMap((piece): [Square, Square][] => {
    const same = gone.filter((it) => isSame(it, piece)).sort((a, b) => distance(a.square, piece.square) - distance(b.square, piece.square));
    const from = same[0];
    if (!from) return [];
    gone.splice(gone.indexOf(from), 1);
    return [[from.square, piece.square]];
  });
}

function distance(a: Square, b: Square): number {
  const [from, to] = [numberOf(a), numberOf(b)];
  return Math.abs((from % 8) - (to % 8)) + Math.abs(Math.floor(from / 8) - Math.floor(to / 8));
}
