// kokopu.
import { Position as Board } from "kokopu";

export class Position {
  constructor(board) {
    this.board = board;
  }

  static fromFen(fen) {
    return new Position(new Board(fen.trim()));
  }

  legalMoves() {
    return this.board.moves().map((move) => ({ move, text: this.board.uci(move) }));
  }

  play({ move }) {
    const next = new Board(this.board);
    next.play(move);
    return new Position(next);
  }
}

export const uci = ({ text }) => text;
