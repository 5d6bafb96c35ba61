// The same perft with three libraries. If its interface allows, each counts the moves of the last
// ply without making them.

import { Chess as ChessJs } from "chess.js";
import { Chess } from "chessops/chess";
import { parseFen } from "chessops/fen";
import type { Role } from "chessops/types";
import { Counter } from "tabiya/perft";

/** Counts the leaf nodes below a position. */
export type Perft = (fen: string, depth: number) => number;

function tabiya(): Perft {
  const counter = new Counter(0, false, new Uint8Array(32));
  return (fen, depth) => Number(counter.count(fen, depth));
}

const PROMOTIONS: readonly Role[] = ["queen", "knight", "rook", "bishop"];

function chessopsPerft(position: Chess, depth: number): number {
  let nodes = 0;
  const last = position.turn === "white" ? 56 : 0;
  const context = position.ctx();
  for (const from of position.board[position.turn]) {
    const targets = position.dests(from, context);
    const isPawn = position.board.pawn.has(from);
    const promotes = (to: number) => isPawn && to >= last && to < last + 8;
    if (depth === 1) {
      nodes += targets.size();
      if (isPawn) for (const to of targets) if (promotes(to)) nodes += PROMOTIONS.length - 1;
      continue;
    }
    for (const to of targets) {
      for (const promotion of promotes(to) ? PROMOTIONS : [undefined]) {
        const child = position.clone();
        child.play({ from, to, promotion });
        nodes += chessopsPerft(child, depth - 1);
      }
    }
  }
  return nodes;
}

function chessops(): Perft {
  return (fen, depth) => chessopsPerft(Chess.fromSetup(parseFen(fen).unwrap()).unwrap(), depth);
}

function chessJs(): Perft {
  // The library's own perft, which uses its internal moves.
  return (fen, depth) => new ChessJs(fen).perft(depth);
}

export const COUNTERS: Readonly<Record<string, () => Perft>> = { tabiya, chessops, "chess.js": chessJs };
