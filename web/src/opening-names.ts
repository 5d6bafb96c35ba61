// The names of openings, with the part of the library that knows the positions of a line.

import { openingOf } from "../npm/openings.js";
import { Game } from "./games/library.ts";
import type { State } from "./state.ts";

/** The names along the last line, so that steps along it play nothing. */
let last: { readonly line: string; readonly names: readonly string[] } = { line: "", names: [] };

/** The code and the name of the last named position that the line has reached, or nothing. */
export function openingOfLine({ start, moves, ply }: State): string {
  const line = [start, ...moves].join(" ");
  if (line !== last.line) last = { line, names: namesAlong(start, moves) };
  return last.names[ply - 1] ?? "";
}

function namesAlong(start: string, moves: readonly string[]): string[] {
  const game = new Game(start);
  try {
    return moves.map((move) => {
      game.play(move);
      const opening = openingOf(game);
      return opening ? `${opening.eco} ${opening.name}` : "";
    });
  } finally {
    game.free();
  }
}
