// The arrow of a move.

import type { Arrow } from "../page.ts";
import type { Square } from "../squares.ts";

/** Returns null if the move is not written with its squares: a program may print anything. */
export function arrowOf(uci: string, kind: Arrow["kind"]): Arrow | null {
  const squares = /^([a-h][1-8])([a-h][1-8])/.exec(uci);
  return squares && { from: squares[1] as Square, to: squares[2] as Square, kind };
}
