// The package `chess`, called node-chess. It has no copies and writes no whole FEN, so the moves are
// played again from the first position.
import chess from "chess";

export class Position {
  #client;

  constructor(fen, played) {
    Object.assign(this, { fen, played });
  }

  static fromFen(fen) {
    return new Position(fen.trim(), []);
  }

  /** The library's game. It is slow, so a position that is only counted has none. */
  get client() {
    if (!this.#client) {
      this.#client = chess.fromFEN(this.fen);
      for (const move of this.played) this.#client.move(move);
    }
    return this.#client;
  }

  legalMoves() {
    const moves = Object.entries(this.client.getStatus().notatedMoves);
    return moves.map(([notation, { src, dest }]) => {
      const role = src.piece.type === "pawn" && /[QRBN]$/.exec(notation);
      const text = src.file + src.rank + dest.file + dest.rank + (role ? role[0].toLowerCase() : "");
      return { notation, text };
    });
  }

  play({ notation }) {
    return new Position(this.fen, [...this.played, notation]);
  }
}

export const uci = ({ text }) => text;
