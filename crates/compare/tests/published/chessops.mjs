// chessops. It gives the targets of each piece, and castling as king takes rook.
import { Chess } from "chessops/chess";
import { parseFen } from "chessops/fen";
import { makeUci } from "chessops/util";

const ROLES = ["queen", "rook", "bishop", "knight"];

export class Position {
  constructor(board) {
    this.board = board;
  }

  static fromFen(fen) {
    return new Position(Chess.fromSetup(parseFen(fen.trim()).unwrap()).unwrap());
  }

  legalMoves() {
    const moves = [];
    for (const [from, targets] of this.board.allDests()) {
      const isPawn = this.board.board.pawn.has(from);
      for (const to of targets) {
        const promotes = isPawn && (to < 8 || to >= 56);
        const roles = promotes ? ROLES : [undefined];
        moves.push(...roles.map((promotion) => ({ from, to, promotion })));
      }
    }
    return moves;
  }

  play(move) {
    const next = this.board.clone();
    next.play(move);
    return new Position(next);
  }
}

export const uci = makeUci;
