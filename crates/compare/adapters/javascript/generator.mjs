// A small move generator in JavaScript, for the adapter beside it. Replace it with your own.

const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
const LEAPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const DIRECTIONS = { n: LEAPS, r: STEPS.slice(0, 4), b: STEPS.slice(4), q: STEPS, k: STEPS };
const LOST = { 0: "Q", 4: "KQ", 7: "K", 56: "q", 60: "kq", 63: "k" };

const name = (square) => "abcdefgh"[square % 8] + ((square >> 3) + 1);

/** The square one step away, or -1 beyond the edge. */
function step(square, [fileStep, rankStep]) {
  const file = (square % 8) + fileStep;
  const rank = (square >> 3) + rankStep;
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}

export class Position {
  constructor(board, white, castling, ep) {
    Object.assign(this, { board, white, castling, ep });
  }

  static fromFen(fen) {
    const [ranks, side, castling, ep] = fen.trim().split(/\s+/);
    const text = ranks.split("/").reverse().join("");
    const board = [...text.replace(/\d/g, (digit) => ".".repeat(Number(digit)))];
    const square = ep === "-" ? -1 : "abcdefgh".indexOf(ep[0]) + 8 * (Number(ep[1]) - 1);
    return new Position(board, side === "w", castling, square);
  }

  /** Does a side attack a square? */
  attacked(square, white) {
    const holds = (target, letters) =>
      target >= 0 && (white ? letters.toUpperCase() : letters).includes(this.board[target]);
    const back = white ? -1 : 1;
    if ([-1, 1].some((side) => holds(step(square, [side, back]), "p"))) return true;
    if (LEAPS.some((leap) => holds(step(square, leap), "n"))) return true;
    return STEPS.some((direction) => {
      let target = step(square, direction);
      if (holds(target, "k")) return true;
      while (target >= 0 && this.board[target] === ".") target = step(target, direction);
      return holds(target, direction[0] && direction[1] ? "qb" : "qr");
    });
  }

  own(square) {
    const piece = this.board[square];
    return piece !== "." && (piece === piece.toUpperCase()) === this.white;
  }

  *pseudoLegal() {
    for (let start = 0; start < 64; start++) {
      if (!this.own(start)) continue;
      const role = this.board[start].toLowerCase();
      if (role === "p") yield* this.pawn(start);
      for (const direction of DIRECTIONS[role] ?? []) {
        for (let target = step(start, direction); target >= 0; target = step(target, direction)) {
          if (this.own(target)) break;
          yield { start, target, role: "" };
          if (this.board[target] !== "." || "nk".includes(role)) break;
        }
      }
      if (role === "k") yield* this.castle(start);
    }
  }

  *pawn(start) {
    const [forward, first] = this.white ? [1, 1] : [-1, 6];
    const targets = [];
    const push = start + 8 * forward;
    if (this.board[push] === ".") {
      targets.push(push);
      if (start >> 3 === first && this.board[push + 8 * forward] === ".") targets.push(push + 8 * forward);
    }
    for (const side of [-1, 1]) {
      const target = step(start, [side, forward]);
      if (target < 0) continue;
      if (target === this.ep || (this.board[target] !== "." && !this.own(target))) targets.push(target);
    }
    for (const target of targets) {
      const roles = target >> 3 === 0 || target >> 3 === 7 ? [..."qrbn"] : [""];
      for (const role of roles) yield { start, target, role };
    }
  }

  *castle(king) {
    const [kingSide, queenSide] = this.white ? "KQ" : "kq";
    for (const [right, path, way] of [[kingSide, [1, 2], 1], [queenSide, [-1, -2, -3], -1]]) {
      if (!this.castling.includes(right)) continue;
      if (!path.every((offset) => this.board[king + offset] === ".")) continue;
      if ([king, king + way].some((square) => this.attacked(square, !this.white))) continue;
      yield { start: king, target: king + 2 * way, role: "" };
    }
  }

  play({ start, target, role }) {
    const board = [...this.board];
    const piece = board[start];
    let ep = -1;
    board[start] = ".";
    board[target] = role ? (this.white ? role.toUpperCase() : role) : piece;
    if ("Pp".includes(piece)) {
      if (target === this.ep) board[(start & 56) + (target % 8)] = ".";
      if (Math.abs(target - start) === 16) ep = (start + target) / 2;
    }
    if ("Kk".includes(piece) && Math.abs(target - start) === 2) {
      const [corner, beside] = target > start ? [start + 3, start + 1] : [start - 4, start - 1];
      board[beside] = board[corner];
      board[corner] = ".";
    }
    const lost = (LOST[start] ?? "") + (LOST[target] ?? "");
    const castling = [...this.castling].filter((right) => !lost.includes(right)).join("");
    return new Position(board, !this.white, castling, ep);
  }

  *legalMoves() {
    const king = this.white ? "K" : "k";
    for (const move of this.pseudoLegal()) {
      const after = this.play(move);
      if (!after.attacked(after.board.indexOf(king), !this.white)) yield move;
    }
  }
}

export const uci = ({ start, target, role }) => name(start) + name(target) + role;
