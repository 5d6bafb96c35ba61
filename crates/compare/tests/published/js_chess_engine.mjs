// js-chess-engine. It names squares in upper case, and promotes to a queen only.
import engine from "js-chess-engine";

export class Position {
  constructor(fen) {
    this.fen = fen;
  }

  static fromFen(fen) {
    return new Position(fen.trim());
  }

  legalMoves() {
    const { pieces } = engine.status(this.fen);
    return Object.entries(engine.moves(this.fen)).flatMap(([from, targets]) =>
      targets.map((to) => {
        const promotes = "Pp".includes(pieces[from]) && "18".includes(to[1]);
        return { from, to, promotion: promotes ? "q" : "" };
      }),
    );
  }

  play({ from, to }) {
    const next = engine.move(this.fen, from, to);
    return new Position(typeof next === "string" ? next : engine.getFen(next));
  }
}

export const uci = ({ from, to, promotion }) => (from + to).toLowerCase() + promotion;
