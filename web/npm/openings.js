// The names of openings, by position. They are not in the WebAssembly module, so that only programs
// that import this file load them.
import { names, positions } from "./pkg/tabiya-openings.js";

/** The bytes of a packed position, of those that make positions equal, and of a record. */
const PACKED = 32;
const IDENTITY = 24;
const RECORD = IDENTITY + 2;

let all;
/** The index of each named position, by the bytes that make positions equal. */
let places;

/** All named openings, by their codes and names. */
export function openings() {
  all ??= Object.freeze(
    names.trimEnd().split("\n").map((line) => Object.freeze({ eco: line.slice(0, 3), name: line.slice(3) })),
  );
  return all;
}

function table() {
  if (places === undefined) {
    places = new Map();
    const bytes = atob(positions);
    for (let at = 0; at < bytes.length; at += RECORD) {
      const index = bytes.charCodeAt(at + IDENTITY) | (bytes.charCodeAt(at + IDENTITY + 1) << 8);
      places.set(bytes.slice(at, at + IDENTITY), index);
    }
  }
  return places;
}

/** The opening of the position whose 32 bytes begin at `at`. */
function look(packed, at) {
  const index = table().get(String.fromCharCode(...packed.subarray(at, at + IDENTITY)));
  return index === undefined ? undefined : openings()[index];
}

/** The opening of a position, by whatever moves it was reached; `undefined` if it has no name. */
export function openingAt(position) {
  return look(position.packed, 0);
}

/** The opening of the last position with a name: of a game, or of the line of a tree to a node. */
export function openingOf(game, node) {
  const packed = typeof game.packed === "function" ? game.packed(node ?? game.end) : game.packed;
  for (let at = packed.length - PACKED; at >= 0; at -= PACKED) {
    const found = look(packed, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
