// The state of the page: all data in the address. It is replaced, never changed.

import type { Zero } from "./numbers.ts";
import type { Square } from "./squares.ts";

export type Theme = "auto" | "light" | "dark";

export const PANELS = ["layers", "moves", "methods", "calculator", "perft", "compare", "lessons"] as const;
export type PanelId = (typeof PANELS)[number];

/** The number of layers that fit on the board: each has its own colour. */
export const MOST_LAYERS = 8;

export interface State {
  /** The start of the game: a FEN, a name or a number of Chess960. */
  readonly start: string;
  /** The moves from the start, in UCI. */
  readonly moves: readonly string[];
  /** The games from which the moves come, in PGN; empty if they come from none. */
  readonly pgn: string;
  /** The number of the game among them, from 0. */
  readonly game: number;
  /** The number of moves that have been played. */
  readonly ply: number;
  readonly flipped: boolean;
  /** Is the board an editor? */
  readonly editing: boolean;
  readonly theme: Theme;
  readonly panel: PanelId;
  /** The layers on the board. A `*` stands for the chosen square. */
  readonly layers: readonly string[];
  /** The chosen square. */
  readonly square: Square | null;
  /** The square that is bit 0 in numbers. */
  readonly zero: Zero;
  /** The settings of the panels. Each panel has its own names. */
  readonly settings: Readonly<Record<string, string>>;
}

export const NO_GAME = { pgn: "", game: 0 } as const;

export const INITIAL: State = {
  start: "startpos",
  moves: [],
  ...NO_GAME,
  ply: 0,
  flipped: false,
  editing: false,
  theme: "auto",
  panel: "layers",
  layers: ["attacks:white", "attacks:black"],
  square: null,
  zero: "a1",
  settings: {},
};

/** The moves that have been played, as one text. */
export function playedMoves(state: State): string {
  return state.moves.slice(0, state.ply).join(" ");
}
