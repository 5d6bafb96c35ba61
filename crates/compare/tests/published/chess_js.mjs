// chess.js, of any version.
import * as library from "chess.js";

const { Chess } = library.Chess ? library : library.default;

export class Position {
  #board;

  constructor(fen, last) {
    Object.assign(this, { fen, last });
  }

  static fromFen(fen) {
    return new Position(fen.trim());
  }

  /** The library's position. Reading a FEN is slow, so a position that is only counted has none. */
  get board() {
    if (!this.#board) {
      this.#board = new Chess(this.fen);
      if (this.last) this.#board.move(this.last);
    }
    return this.#board;
  }

  legalMoves() {
    const moves = this.board.moves({ verbose: true });
    return moves.map(({ from, to, promotion }) => ({ from, to, promotion }));
  }

  play(move) {
    return new Position(this.board.fen(), move);
  }
}

export const uci = ({ from, to, promotion }) => from + to + (promotion ?? "");
