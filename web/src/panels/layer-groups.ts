// The groups of layers in the panel.

import type { texts } from "../texts.ts";

export type Group = keyof typeof texts.layers.groups;

/** The layers of each group, by name. Layers without a group come last. */
export const GROUPS: Readonly<Record<Group, readonly string[]>> = {
  attacks: ["attacks:COLOR", "xrays:COLOR", "attackers:SQ"],
  check: ["checkers", "capture-mask", "push-mask", "check-mask"],
  pins: ["pinned", "pinners", "pin-lines", "pin-line:SQ", "discoverers"],
  king: ["king-danger"],
  special: ["en-passant", "en-passant-pseudo-legal", "en-passant-trap", "castling", "castling-king-path", "castling-clear"],
  moves: ["targets", "targets:SQ"],
  single: ["attacks:SQ", "xray:SQ", "relevant:SQ", "knight:SQ", "bishop:SQ", "rook:SQ", "queen:SQ", "king:SQ", "white-pawn:SQ", "black-pawn:SQ"],
  lines: ["between:SQ-SQ", "line:SQ-SQ", "ray:SQ-DIR", "ray-before:SQ-DIR", "ray-after:SQ-DIR"],
  roles: ["pawn-attacks:COLOR", "knight-attacks:COLOR", "bishop-attacks:COLOR", "rook-attacks:COLOR", "queen-attacks:COLOR", "king-attacks:COLOR"],
  pieces: ["occupancy", "white", "black", "pawns", "knights", "bishops", "rooks", "queens", "kings"],
};
