// The chosen layers, and their sets in the position on the board.

import { Scene, type LayerSquares } from "../library.ts";

import { MARK_STYLES, type Mark, type MarkStyle, type Page } from "../page.ts";
import type { Square } from "../squares.ts";
import { MOST_LAYERS, type State } from "../state.ts";
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

/** The last result, because the board, the legend and a panel ask for the same layers. */
let last: { readonly scene: Scene; readonly question: string; readonly layers: readonly ShownLayer[] } | null = null;

/** The chosen layers with their squares, in the position on the board. They say why they hold the square under the pointer. */
export function shownLayers({ scene, state, pointed }: Page): readonly ShownLayer[] {
  const question = [state.square, pointed, state.settings["off"], ...state.layers].join("|");
  if (last?.scene !== scene || last.question !== question) last = { scene, question, layers: findLayers(scene, state, pointed) };
  return last.layers;
}

/** The chosen layers in another position. */
export function layersIn(fen: string, state: State): readonly ShownLayer[] {
  const scene = new Scene(fen, "");
  const layers = findLayers(scene, state);
  scene.free();
  return layers;
}

function findLayers(scene: Scene, state: State, pointed: Square | null = null): ShownLayer[] {
  const keys = state.layers.slice(0, MOST_LAYERS);
  const named = keys.map((key) => ({ key, name: key.replace("*", state.square ?? "*") }));
  const ready = named.filter(({ name }) => !name.includes("*"));
  const names = ready.map(({ name }) => name);
  const found = scene.layers(names, pointed);
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
