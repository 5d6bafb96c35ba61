// The state as the fragment of the address, and back. A link shows the same thing.

import { isSquare } from "./squares.ts";
import { INITIAL, PANELS, type State } from "./state.ts";

/** Longer values are not kept: an address has a limit in mail programs and servers. */
const LONGEST = 4000;

const OWN = ["fen", "moves", "ply", "flip", "edit", "theme", "panel", "layers", "square", "zero"];

export function write(state: State): string {
  const pairs: [string, string][] = [];
  const add = (name: string, value: string, initial: string) => {
    if (value !== initial && value.length <= LONGEST) pairs.push([name, value]);
  };
  add("fen", state.start, INITIAL.start);
  add("moves", state.moves.join(","), "");
  if (state.ply !== state.moves.length) add("ply", String(state.ply), "");
  add("flip", state.flipped ? "1" : "", "");
  add("edit", state.editing ? "1" : "", "");
  add("theme", state.theme, INITIAL.theme);
  add("panel", state.panel, INITIAL.panel);
  add("layers", state.layers.join(",") || "none", INITIAL.layers.join(","));
  add("square", state.square ?? "", "");
  add("zero", state.zero, INITIAL.zero);
  for (const [name, value] of Object.entries(state.settings)) add(name, value, "");
  // Slashes and commas stay readable; spaces become underscores, which no value contains otherwise.
  const encode = (text: string) =>
    encodeURIComponent(text.replaceAll("_", "%5F").replaceAll(" ", "_"))
      .replaceAll("%255F", "%5F")
      .replaceAll("%2F", "/")
      .replaceAll("%2C", ",")
      .replaceAll("%3A", ":");
  return pairs.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

export function read(fragment: string): State {
  const found = new Map<string, string>();
  for (const pair of fragment.replace(/^#/, "").split("&")) {
    const [name, ...rest] = pair.split("=");
    if (name) found.set(name, decode(rest.join("=")));
  }
  const get = (name: string) => found.get(name) ?? "";
  const list = (text: string) => text.split(",").filter((part) => part !== "");
  const moves = list(get("moves").replaceAll(" ", ","));
  const ply = /^\d+$/.test(get("ply")) ? Number(get("ply")) : moves.length;
  const theme = get("theme");
  const panel = PANELS.find((id) => id === get("panel"));
  const layers = get("layers");
  const square = get("square");
  const settings: Record<string, string> = {};
  for (const [name, value] of found) if (!OWN.includes(name)) settings[name] = value;
  return {
    start: get("fen") || INITIAL.start,
    moves,
    ply: Math.min(ply, moves.length),
    flipped: get("flip") === "1",
    editing: get("edit") === "1",
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    panel: panel ?? INITIAL.panel,
    layers: layers === "" ? INITIAL.layers : layers === "none" ? [] : splitLayers(layers),
    square: isSquare(square) ? square : null,
    zero: get("zero") === "a8" ? "a8" : "a1",
    settings,
  };
}

/** Layers are written with a hyphen between two squares, so that commas only separate layers. */
function splitLayers(text: string): string[] {
  return text.split(",").filter((name) => name !== "").slice(0, 16);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("_", " "));
  } catch {
    return text;
  }
}
