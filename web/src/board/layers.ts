// The chosen layers, and their sets in the position on the board.

import { layers as evaluate, type LayerSquares } from "../library.ts";

import { MARK_STYLES, type Mark, type MarkStyle, type Page } from "../page.ts";
import { MOST_LAYERS, playedMoves, type State } from "../state.ts";
import { texts } from "../texts.ts";

export interface ShownLayer extends LayerSquares {
  /** The layer as the state has it: with `*` for the chosen square. */
  readonly key: string;
  /** The number of the layer on the board, from 1. */
  readonly color: number;
  readonly style: MarkStyle;
  /** Is it on the board, and not switched off in the legend? */
  readonly isOn: boolean;
}

/** The last result, because the board and a panel ask for the same layers. */
let last: { readonly question: string; readonly layers: readonly ShownLayer[] } | null = null;

/** The chosen layers with their squares, in the given position or else the one on the board. */
export function shownLayers(page: Page, fen: string | null = null): readonly ShownLayer[] {
  const { start, square, layers, settings } = page.state;
  const question = [fen, start, playedMoves(page.state), square, settings["off"], ...layers].join("|");
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
    const isOn = !isSwitchedOff(state, key);
    return { ...(layer ?? empty), key, color: index + 1, style: MARK_STYLES[index]!, isOn };
  });
}

export function marksOf(layers: readonly ShownLayer[]): Mark[] {
  const shown = layers.filter(({ isOn, error }) => isOn && error === undefined);
  return shown.map(({ name, squares, color, style }) => ({ name, squares, color, style }));
}

const switchedOff = ({ settings }: State): string[] => (settings["off"] ?? "").split(",").filter((key) => key !== "");

function isSwitchedOff(state: State, key: string): boolean {
  return switchedOff(state).includes(key);
}

/** Switches a layer off or on again. It keeps its place and its colour. */
export function switchLayer(page: Page, key: string): void {
  const off = switchedOff(page.state);
  const next = off.includes(key) ? off.filter((it) => it !== key) : [...off, key];
  page.set({ off: next.join(",") });
}
