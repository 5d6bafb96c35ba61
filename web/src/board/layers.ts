// The chosen layers, and their sets in the position on the board.

import { Scene, type Color, type LayerSquares } from "../library.ts";

import type { Mark, MarkStyle, Page } from "../page.ts";
import type { Square } from "../squares.ts";
import { MOST_LAYERS, type PanelId, type State } from "../state.ts";
import { all, none, whyAll } from "../texts/layers.ts";
import { texts } from "../texts.ts";
import { kindOf, titleOf } from "./layer-names.ts";

/**
 * Three tints, and from the fourth layer on patterns: more tints would be a muddle. The tints' hues are
 * not those of the board.
 */
const LOOKS: readonly { readonly color: number; readonly style: MarkStyle }[] = [
  { color: 1, style: "tint" },
  { color: 5, style: "tint" },
  { color: 4, style: "tint" },
  { color: 2, style: "outline" },
  { color: 3, style: "dashed" },
  { color: 6, style: "corner-1" },
  { color: 8, style: "corner-2" },
  { color: 7, style: "corner-3" },
];

const ALL_SQUARES = 2n ** 64n - 1n;

export interface ShownLayer extends LayerSquares {
  /** The layer as the state has it: with `*` for the chosen square. */
  readonly key: string;
  /** The name in words. */
  readonly title: string;
  /** What is said in place of a set of no square or of all squares, which is never drawn. */
  readonly words?: string;
  readonly color: number;
  readonly style: MarkStyle;
  /** Is it on the board, and not switched off in the legend? */
  readonly isOn: boolean;
}

/** The last result, because the board, the legend and a panel ask for the same layers. */
let last: { readonly scene: Scene; readonly question: string; readonly layers: readonly ShownLayer[] } | null = null;

/** The chosen layers with their squares, in the position on the board. They say why they hold the square under the pointer. */
export function shownLayers({ scene, state, view, pointed }: Page): readonly ShownLayer[] {
  const question = [state.square, pointed, state.settings["off"], ...state.layers].join("|");
  if (last?.scene !== scene || last.question !== question) last = { scene, question, layers: findLayers(scene, view.turn, state, pointed) };
  return last.layers;
}

/** The chosen layers in another position. */
export function layersIn(fen: string, state: State): readonly ShownLayer[] {
  const scene = new Scene(fen, "");
  const layers = findLayers(scene, scene.view.turn, state);
  scene.free();
  return layers;
}

function findLayers(scene: Scene, turn: Color, state: State, pointed: Square | null = null): ShownLayer[] {
  const keys = state.layers.slice(0, MOST_LAYERS);
  const named = keys.map((key) => ({ key, name: key.replace("*", state.square ?? "*") }));
  const ready = named.filter(({ name }) => !name.includes("*"));
  const names = ready.map(({ name }) => name);
  const found = scene.layers(names, pointed);
  return named.map(({ key, name }, index) => {
    const layer = found[ready.findIndex((it) => it.key === key)];
    const set = layer ?? { name, squares: 0n, error: texts.layers.needsSquare };
    return { ...set, ...wordsFor(set), key, title: titleOf(name, turn), ...LOOKS[index]!, isOn: !isSwitchedOff(state, key) };
  });
}

function wordsFor({ name, squares, note, error }: LayerSquares): { words?: string } {
  if (error !== undefined) return {};
  if (squares === 0n) return { words: none(note) };
  return squares === ALL_SQUARES ? { words: all(whyAll[kindOf(name)!]) } : {};
}

/** Is the layer on the board? */
export function isDrawn({ isOn, error, words }: ShownLayer): boolean {
  return isOn && error === undefined && words === undefined;
}

const WITH_OWN_SETS: readonly PanelId[] = ["methods", "calculator"];

/** Does the panel draw its own sets, and nothing else? */
export function drawsOwnSets({ panel }: State): boolean {
  return WITH_OWN_SETS.includes(panel);
}

/**
 * Does the board draw the layers? Only where they are the subject: in their own panel, in a lesson,
 * and in the panel for which the user has switched them on.
 */
export function drawsLayers(state: State): boolean {
  const { panel, settings } = state;
  if (drawsOwnSets(state)) return false;
  return panel === "layers" || settings["lesson"] !== undefined || settings["show"] === panel;
}

/** Could the user switch the layers on in this panel? */
export function offersLayers(state: State): boolean {
  const isOffered = !drawsLayers(state) || state.settings["show"] === state.panel;
  return state.layers.length > 0 && isOffered && !drawsOwnSets(state) && state.panel !== "layers";
}

/** The library's error for a layer that is not one, or null. A layer that only lacks a piece is one. */
export function errorOfName({ scene }: Page, name: string): string | null {
  return kindOf(name) === null ? (scene.layers([name])[0]!.error ?? null) : null;
}

/** Leaves out what an address names as a layer but is none, and what is too much. Returns the errors. */
export function leaveOutUnknown(page: Page): string[] {
  const { layers } = page.state;
  const known = layers.filter((name) => kindOf(name) !== null).slice(0, MOST_LAYERS);
  const errors = layers.flatMap((name) => errorOfName(page, name) ?? []);
  if (known.length < layers.length) page.change({ layers: known });
  return errors;
}

export function marksOf(layers: readonly ShownLayer[]): Mark[] {
  return layers.filter(isDrawn).map(({ title, squares, color, style }) => ({ name: title, squares, color, style }));
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
