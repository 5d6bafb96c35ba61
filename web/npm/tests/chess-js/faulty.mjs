// Copies of chess.js with one fault each, which the differential has to find.
import { Chess } from "chess.js";

/** A class like chess.js's with one other method; `answer` gets the board, what chess.js does, and the arguments. */
function faulty(name, answer) {
  return class extends Chess {
    [name](...parameters) {
      return answer(this, () => super[name](...parameters), parameters);
    }
  };
}

const original = (board, name, ...parameters) => Chess.prototype[name].apply(board, parameters);

/** The faults, by what is wrong. */
export const FAULTY = {
  "undo answers nothing": faulty("undo", (_, undo) => void undo()),
  "strict has no effect": faulty("move", (board, _, [move]) => original(board, "move", move)),
  "an error's text lacks the move": faulty("move", (_, move) => {
    try {
      return move();
    } catch {
      throw new Error("Invalid move");
    }
  }),
  "moves come in another order": faulty("moves", (_, moves) => moves().reverse()),
  "verbose moves lack a field": faulty("moves", (_, moves, [options]) => {
    return options?.verbose ? moves().map((move) => Object.assign(move, { after: undefined })) : moves();
  }),
  "pgn ignores the width": faulty("pgn", (board, _, [options]) => {
    return original(board, "pgn", { newline: options?.newline });
  }),
  "a removed tag is gone": faulty("removeHeader", (board, remove, [tag]) => {
    const answer = remove();
    delete board._header[tag];
    return answer;
  }),
  "clear drops the tags": faulty("clear", (board) => original(board, "clear")),
  "a comment is lost when its move is undone": faulty("undo", (board, undo) => {
    board.removeComment();
    return undo();
  }),
  "a FEN always shows the en passant square": faulty("fen", (board) => {
    return original(board, "fen", { forceEnpassantSquare: true });
  }),
  "castling rights survive a missing rook": faulty("remove", (board, remove) => {
    const rights = board._castling.w;
    const answer = remove();
    board._castling.w = rights;
    return answer;
  }),
  "two repetitions are enough": faulty("isThreefoldRepetition", (board) => board._getPositionCount(board._hash) >= 2),
};
