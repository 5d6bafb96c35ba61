// Writes the state into the fragment of the address, and reads it back. So a link shows the same
// page.

import { isSquare } from "./squares.ts";
import { FRONT, INITIAL, PANELS, type State } from "./state.ts";

/** Longer values are not kept, because programs that pass an address on have limits. */
const LONGEST = 30_000;

const OWN = ["fen", "moves", "ply", "pgn", "game", "flip", "edit", "theme", "panel", "layers", "square", "ask", "zero"];

/** The fragment of a state. `fen` is the position on the board. The front page has an empty one. */
export function write(state: State, fen: string): string {
  const fragment = pairs(state, fen);
  if (fragment === pairs(FRONT, fen)) return "";
  return fragment || `fen=${INITIAL.start}`;
}

function pairs(state: State, fen: string): string {
  const all: [string, string][] = [];
  const add = (name: string, value: string, initial: string) => {
    if (value !== initial && value.length <= LONGEST) all.push([name, value]);
  };
  const moves = state.moves.join(",");
  if (moves.length <= LONGEST) {
    add("fen", state.start, INITIAL.start);
    add("moves", moves, "");
    if (state.ply !== state.moves.length) add("ply", String(state.ply), "");
    add("pgn", keep(state.pgn), "");
    if (state.game > 0) add("game", String(state.game + 1), "");
  } else {
    // If the game is too long for the address, only its position is kept.
    add("fen", fen, "");
  }
  add("flip", state.flipped ? "1" : "", "");
  add("edit", state.editing ? "1" : "", "");
  add("theme", state.theme, INITIAL.theme);
  add("panel", state.panel, INITIAL.panel);
  const layers = (it: State) => it.layers.join(",") || "none";
  add("layers", layers(state), layers(INITIAL));
  add("square", state.square ?? "", "");
  add("ask", state.ask, "");
  add("zero", state.zero, INITIAL.zero);
  for (const [name, value] of Object.entries(state.settings)) add(name, value, "");
  return all.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

/** Keeps slashes, commas and colons readable, and writes a space as an underscore. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("_", "%5F")
    .replaceAll("%20", "_")
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":");
}

export function read(fragment: string): State {
  if (fragment.replace(/^#/, "") === "") return FRONT;
  const found = new Map<string, string>();
  for (const pair of fragment.replace(/^#/, "").split("&")) {
    const [name, ...rest] = pair.split("=");
    if (name) found.set(decode(name), decode(rest.join("=")));
  }
  const get = (name: string) => found.get(name) ?? "";
  const moves = get("moves").split(/[\s,]+/).filter((move) => move !== "");
  const ply = /^\d+$/.test(get("ply")) ? Number(get("ply")) : moves.length;
  const game = /^[1-9]\d*$/.test(get("game")) ? Number(get("game")) - 1 : 0;
  const theme = get("theme");
  const panel = PANELS.find((id) => id === get("panel"));
  const layers = get("layers");
  const square = get("square");
  const settings: Record<string, string> = {};
  for (const [name, value] of found) if (!OWN.includes(name)) settings[name] = value;
  return {
    start: get("fen") || INITIAL.start,
    moves,
    pgn: keptGames(get("pgn")),
    game,
    ply: Math.min(ply, moves.length),
    flipped: get("flip") === "1",
    editing: get("edit") === "1",
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    panel: panel ?? INITIAL.panel,
    layers: layers === "" ? INITIAL.layers : layers === "none" ? [] : splitLayers(layers),
    square: isSquare(square) ? square : null,
    ask: get("ask"),
    zero: get("zero") === "a8" ? "a8" : "a1",
    settings,
  };
}

/** Layers are written with a hyphen between two squares, so commas only separate layers. */
function splitLayers(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("_", "%20"));
  } catch {
    return text;
  }
}

/** Stands in the address for games that are too long for it. They stay until the tab is closed. */
const KEPT = "kept";
const STORED = "tabiya pgn";
/** Browsers keep only a few megabytes for a page. */
const LONGEST_STORED = 500_000;
let kept: string | null = null;

/** The games as the address has them. */
function keep(pgn: string): string {
  if (pgn.length <= LONGEST) return pgn;
  if (kept !== pgn) {
    kept = pgn;
    try {
      if (pgn.length <= LONGEST_STORED) sessionStorage.setItem(STORED, pgn);
    } catch {
      // There is no room left, or no storage at all: the games live as long as the page.
    }
  }
  return KEPT;
}

function keptGames(pgn: string): string {
  if (pgn !== KEPT) return pgn;
  try {
    return kept ?? sessionStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
}
