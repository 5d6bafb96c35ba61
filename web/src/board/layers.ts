// The chosen layers, and their sets in the position on the board.

import { layers as evaluate, type LayerSquares } from "../library.ts";

import type { Mark, Page } from "../page.ts";
import { MOST_LAYERS, playedMoves } from "../state.ts";
import { texts } from "../texts.ts";

export interface ShownLayer extends LayerSquares {
  /** The layer as the state has it: with `*` for the chosen square. */
  readonly key: string;
  /** The number of the layer on the board, from 1. */
  readonly color: number;
}

/** The last result, because the board and a panel ask for the same layers. */
let last: { readonly question: string; readonly layers: readonly ShownLayer[] } | null = null;

/** The chosen layers with their squares, in the given position or else the one on the board. */
export function shownLayers(page: Page, fen: string | null = null): readonly ShownLayer[] {
  const { start, square, layers } = page.state;
  const question = [fen, start, playedMoves(page.state), square, ...layers].join("|");
  if (last?.question !== question) last = { question, layers: findLayers(page, fen) };
  return last.layers;
}

function findLayers({ state }: Page, fen: string | null): ShownLayer[] {
  const keys = state.layers.slice(0, MOST_LAYERS);
  const named = keys.map((key) => ({ key, name: key.replace("*", state.square ?? "*") }));
  const ready = named.filter(({ name }) => !name.includes("*"));
  const names = ready.map(({ name }) => name);
  const found = evaluate(fen ?? state.start, fen === null ? playedMoves(state) : "", names);
  return named.map(({ key, name }, index) => {
    const layer = found[ready.findIndex((it) => it.key === key)];
    const empty = { name, squares: 0n, error: texts.layers.needsSquare };
    return { ...(layer ?? empty), key, color: index + 1 };
  });
}

export function marksOf(layers: readonly ShownLayer[]): Mark[] {
  return layers.map(({ name, squares, color }) => ({ name, squares, color }));
}
