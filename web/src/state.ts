// The state of the page: all data in the address. It is replaced, never changed.

import type { Zero } from "./numbers.ts";
import type { Square } from "./squares.ts";

export type Theme = "auto" | "light" | "dark";

export const PANELS = ["lessons", "layers", "moves", "methods", "calculator", "perft", "compare"] as const;
export type PanelId = (typeof PANELS)[number];

/** The number of layers that fit on the board: each has its own look. */
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
  /** A move, in any notation, whose reason is shown; empty if none. */
  readonly ask: string;
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
  layers: [],
  square: null,
  ask: "",
  zero: "a1",
  settings: {},
};

/** What an empty address shows: Black is in check, and the pawn that could capture is pinned. */
export const FRONT: State = {
  ...INITIAL,
  moves: "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 d8a5 c1d2 a5f5 d1e2 g8f6 e4d6".split(" "),
  ply: 13,
  panel: "lessons",
  ask: "e7d6",
};

/** The debugger with its sample, at the move in which a capture en passant exposes the king. */
export const SAMPLE = {
  start: "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1",
  moves: ["d2d4"],
  ply: 1,
  panel: "compare",
  settings: { compare: "2", "compare-from": "0", sample: "1" },
} as const satisfies Partial<State>;

/** The moves that have been played, as one text. */
export function playedMoves(state: State): string {
  return state.moves.slice(0, state.ply).join(" ");
}
