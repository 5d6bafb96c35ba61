// Where our class answers something else than chess.js 1.4.0, and why. Nothing else may differ.
//
// * `id`: a short name.
// * `sees`: what one sees, for the table.
// * `why`: the reason.
// * `program`: calls that show it; the last one differs.
// * `excuse`: whether a difference is this one: where chess.js is known to differ, and what our answer has to be there.
// * `goesOn`: the boards are still in the same state, so a program can go on.
import { validateFen } from "chess.js";

import { run, statement, text } from "./run.mjs";

const isOf = ({ call }, ...names) => names.includes(call[0]);
const throws = (answer) => answer.startsWith("throws ");
/** Moves without the signs of check, and without those that take a king. */
const withoutChecks = (answer) => answer.replace(/[+#]/g, "").replace(/\{[^}]*"captured": "k"[^}]*\}/g, "");
const lacksKing = (board) => ["w", "b"].some((color) => board.findPiece({ type: "k", color }).length === 0);

/** Whether the side to move could take the king. */
function canTakeKing(board) {
  const color = board.turn() === "w" ? "b" : "w";
  return board.findPiece({ type: "k", color }).some((king) => board.isAttacked(king, board.turn()));
}

/** Whether the last position has come three times, counted by the FENs of the game. */
function isThreefold(board) {
  const fens = [...board.history({ verbose: true }).map(({ before }) => before), board.fen()];
  const position = (fen) => fen.split(" ").slice(0, 4).join(" ");
  return fens.filter((fen) => position(fen) === position(board.fen())).length >= 3;
}

/** Whether `isDraw` or `isGameOver` is what the single reasons say. */
function isReasoned({ call: [name], ours, pair: { ours: board } }) {
  const draws = ["isDrawByFiftyMoves", "isStalemate", "isInsufficientMaterial"];
  const reasons = { isDraw: draws, isGameOver: ["isCheckmate", ...draws] }[name];
  return reasons && ours === String(isThreefold(board) || reasons.some((reason) => board[reason]()));
}

/** The text of a PGN, as JSON, without the escapes of quotes. */
const withoutEscapes = (answer) => answer.replaceAll('\\\\\\"', '\\"');
const withoutSpaces = (answer, newline = "\n") =>
  answer.replaceAll(JSON.stringify(newline).slice(1, -1), "").replaceAll(" ", "");

/** The piece on a square of a FEN, as a letter, or a space. */
function letterOn(fen, square) {
  const rows = fen.split(" ")[0].split("/");
  const row = rows[8 - Number(square[1])].replace(/\d/g, (digit) => " ".repeat(digit));
  return row["abcdefgh".indexOf(square[0])];
}

/** The castling rights of a FEN that have their king and rook. */
function usableRights(fen) {
  const homes = {
    K: ["e1", "K", "h1", "R"],
    Q: ["e1", "K", "a1", "R"],
    k: ["e8", "k", "h8", "r"],
    q: ["e8", "k", "a8", "r"],
  };
  const isUsable = (right) => {
    const [kingAt, king, rookAt, rook] = homes[right] ?? [];
    return kingAt && letterOn(fen, kingAt) === king && letterOn(fen, rookAt) === rook;
  };
  return [...fen.split(" ")[2]].filter(isUsable).join("") || "-";
}

/** Whether the en passant square of a FEN lies just behind a pawn that can have crossed it. */
function isCrossed(fen) {
  const [, turn, , [file, rank]] = fen.split(" ");
  if (file === "-") return true;
  const [step, pawn] = turn === "w" ? [-1, "p"] : [1, "P"];
  const on = (offset) => letterOn(fen, `${file}${Number(rank) + offset}`);
  return on(0) === " " && on(-step) === " " && on(step) === pawn;
}

/** Whether a text has the form of a FEN, whatever its kings and pawns are. */
function isForm(fen) {
  const { ok, error } = validateFen(fen);
  return ok || /king|pawn/.test(error);
}

/** Whether two FENs are the same but for one field, and what has to be in that field. */
function isFenWith(difference, field, wanted) {
  if (!isOf(difference, "fen") || throws(difference.ours)) return false;
  const fields = JSON.parse(difference.theirs).split(" ");
  fields[field] = wanted(fields.join(" "));
  return difference.ours === JSON.stringify(fields.join(" "));
}

const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";

/** The list. The first entry that matches counts. */
export const DIFFERENCES = [
  {
    id: "rights-without-rook",
    sees: "a FEN with castling rights without king and rook in place",
    why: "no such rights; chess.js castles with nothing",
    program: [["new", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"], ["fen"]],
    excuse: (difference) => isFenWith(difference, 2, usableRights),
  },
  {
    id: "en-passant-without-pawn",
    sees: "a FEN with an en passant square without a pawn that has crossed it",
    why: "no pawn has just crossed it, so there's no such capture",
    program: [["new", "4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1"], ["fen"]],
    excuse: (difference) => isFenWith(difference, 3, (fen) => (isCrossed(fen) ? "crossed" : "-")),
  },
  {
    id: "repetition",
    sees: "`isThreefoldRepetition` after an en passant square that no pawn can use, a changed board or null moves",
    why: "it counts the positions that come in the game, by the rules",
    program: [
      ["new"],
      ["loadPgn", `[FEN "${AFTER_E4}"]\n\n1... Nf6 2. Nf3 Ng8 3. Ng1 Nf6 4. Nf3 Ng8 5. Ng1`],
      ["isThreefoldRepetition"],
    ],
    goesOn: true,
    excuse: (difference) =>
      isReasoned(difference) ||
      (isOf(difference, "isThreefoldRepetition") && difference.ours === String(isThreefold(difference.pair.ours))),
  },
  {
    id: "moves-of-a-square",
    sees: "the SAN of `moves({ square })` where two pieces can go to the same square",
    why: "chess.js leaves out which piece moves, and its `move` then refuses the text",
    program: [["new", "4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1"], ["moves", { square: "b1" }]],
    goesOn: true,
    excuse({ call: [name, options], ours, pair }) {
      if (name !== "moves" || !options?.square || options.verbose) return false;
      return ours === text(pair.theirs.moves({ ...options, verbose: true }).map(({ san }) => san));
    },
  },
  {
    id: "comment-braces",
    sees: "several braces in a comment",
    why: "all are replaced, so that the PGN can be read again",
    program: [["new"], ["setComment", "{1} {2}"], ["getComment"]],
    excuse: ({ calls, ours }) =>
      !/\{[^}]*\{/.test(ours) &&
      calls.some(([name, comment]) => name === "setComment" && /\{.*\{|\}.*\}/.test(comment)),
  },
  {
    id: "quotes",
    sees: "quotes and backslashes in the tags of `pgn`",
    why: "they're escaped, as the standard of PGN says, so that the PGN can be read again",
    program: [["new"], ["setHeader", "White", 'A "B" C'], ["pgn"]],
    goesOn: true,
    excuse: ({ call: [name], theirs, ours }) => name === "pgn" && withoutEscapes(ours) === theirs,
  },
  {
    id: "backslashes",
    sees: "backslashes in the tags of a PGN",
    why: "two of them are one, as the standard of PGN says",
    program: [["new"], ["loadPgn", '[White "A\\\\B"]\n\n1. e4 *'], ["getHeaders"]],
    goesOn: true,
    excuse: (difference) =>
      isOf(difference, "getHeaders", "header") &&
      difference.ours === difference.theirs.replaceAll(String.raw`\\\\`, String.raw`\\`),
  },
  {
    id: "pgn-width",
    sees: "`pgn` with a width and comments",
    why: "there's a space between moves everywhere",
    program: [
      ["new", "r3k2r/8/8/8/8/5K2/8/8 b kq - 0 1"],
      ...["Rg8", "Kf2"].map((san) => ["move", san]),
      ["setComment", "a comment"],
      ["pgn", { maxWidth: 20 }],
    ],
    goesOn: true,
    // Where the space is missing, the lines are other ones as well. A result with a brace is taken for a comment.
    excuse: ({ call: [name, options], theirs, ours }) =>
      name === "pgn" && options?.maxWidth && /[^\s\d]\d+\.|\[Result \\"[^"]*\{/.test(theirs) && theirs.includes("{") &&
      withoutSpaces(theirs, options.newline) === withoutSpaces(withoutEscapes(ours), options.newline),
  },
  {
    id: "pgn-errors",
    sees: "the text of the error for PGN that can't be read",
    why: "ours names the line",
    program: [["new"], ["loadPgn", "1. e4 )"]],
    goesOn: true,
    excuse: ({ theirs, ours }) => theirs.startsWith("throws SyntaxError") && ours.startsWith("throws InputError: "),
  },
  {
    id: "pgn-read",
    sees: "PGN that chess.js can't read",
    why: "we read more",
    program: [["new"], ["loadPgn", '[White "A \\"B\\" C"]\n\n1. e4 *']],
    excuse: ({ theirs, ours }) => theirs.startsWith("throws SyntaxError"),
  },
  {
    id: "pgn-words",
    sees: "PGN with something that is no move, tag, number or comment, and another error",
    why: "we read the whole text before we play the moves",
    program: [["new"], ["loadPgn", "1. e4 R1... *"]],
    excuse: ({ call: [name], theirs, ours }) =>
      name === "loadPgn" && throws(theirs) && ours.startsWith("throws InputError: "),
  },
  {
    id: "pgn-line-in-tag",
    sees: "a line break in a tag",
    why: "a tag is one line; the second one would be read as moves",
    program: [["new"], ["loadPgn", '[White "A\nB"]\n\n1. e4 *']],
    excuse: ({ call: [name], ours }) => name === "loadPgn" && ours.includes(" unexpected malformed tag '"),
  },
  {
    id: "pgn-second-game",
    sees: "a second game in a PGN; `Event` or the first tag again begins one after an empty line",
    why: "one game is asked for; chess.js mixes them",
    program: [["new"], ["loadPgn", "1. e4 e5\n\n1. d4 d5"]],
    excuse: ({ call: [name], ours }) => name === "loadPgn" && ours.includes(" a second game begins in line "),
  },
  {
    id: "pgn-glyph",
    sees: "a numeric glyph above `$255`",
    why: "the standard of PGN ends there",
    program: [["new"], ["loadPgn", "1. e4 $256 *"]],
    excuse: ({ call: [name], ours }) => name === "loadPgn" && ours.includes(" unexpected glyph '$"),
  },
  {
    id: "pgn-glued",
    sees: "moves and results in a PGN without spaces between them",
    why: "the standard of PGN divides them",
    program: [["new"], ["loadPgn", "1. f3 e5 2. g4 Qh4#0-1"]],
    excuse: ({ call: [name], ours }) =>
      name === "loadPgn" && /Invalid move in PGN: \S*\d([+#]?\d-|[+#][a-hKQRBNO])/.test(ours),
  },
  {
    id: "hash",
    sees: "the number of `hash`",
    why: "another hash; the same position has the same one, as there",
    program: [["new"], ["hash"]],
    goesOn: true,
    excuse: (difference) => isOf(difference, "hash") && /^"[0-9a-f]{1,16}"$/.test(difference.ours),
  },
  {
    id: "edit-in-game",
    sees: "`put`, `remove` or `setCastlingRights` after moves, and then `undo`, `history`, `pgn` or `getComments`",
    why: "the positions of the game are kept; chess.js plays its moves again on the changed board, and changes it",
    program: [["new"], ["move", "e4"], ["put", { type: "q", color: "w" }, "e2"], ["history"], ["fen"]],
    excuse: ({ pair }) => pair.isReplayed,
  },
  {
    id: "counters",
    sees: "counters above 65535",
    why: "they end there",
    program: [["new", "4k3/8/8/8/8/8/8/4K3 w - - 0 70000"], ["fen"]],
    excuse: ({ theirs, ours }) => ours === theirs.replace(/\d{5,}/g, (digits) => Math.min(Number(digits), 65535)),
  },
  {
    id: "zero-in-board",
    sees: "a zero on the board of a FEN",
    why: "no FEN has one; `validateFen` answers as chess.js does",
    program: [["new", "4k3/8/8/8/8/8/0PPPPPPPP/4K3 w - - 0 1"]],
    excuse: (difference) => isOf(difference, "new", "load") && difference.ours.includes("'0' is not valid"),
  },
  {
    id: "several-kings",
    sees: "two kings of a colour, with `skipValidation`",
    why: "refused; chess.js forgets one of them",
    program: [["new", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", { skipValidation: true }]],
    excuse: (difference) =>
      isOf(difference, "new", "load") && /^throws .*too many (white|black) kings/.test(difference.ours),
  },
  {
    id: "no-fen",
    sees: "a text that isn't a FEN, with `skipValidation`",
    why: "refused: the option leaves out the checks of the position, not of the form",
    program: [["new", "8/8/8/8/8/8/8/8 x - - 0 1", { skipValidation: true }]],
    excuse: ({ call: [name, fen, options], ours }) =>
      /^(new|load)$/.test(name) && options?.skipValidation && throws(ours) && !isForm(fen),
  },
  {
    id: "material-without-king",
    sees: "`isInsufficientMaterial` without one of the kings",
    why: "`false`: nobody can tell",
    program: [
      ["new", "8/8/8/8/8/8/8/2B1K3 w - - 0 1", { skipValidation: true }],
      ["isInsufficientMaterial"],
    ],
    goesOn: true,
    excuse(difference) {
      const { pair, ours } = difference;
      if (!pair.ours || !lacksKing(pair.ours) || pair.ours.isInsufficientMaterial()) return false;
      return (isOf(difference, "isInsufficientMaterial") && ours === "false") || isReasoned(difference);
    },
  },
  {
    id: "king-can-be-taken",
    sees: "the check signs of moves where the side to move could take the king",
    why: "no position of chess; a king that is gone isn't in check",
    program: [["new", "8/3k4/2P5/8/8/8/8/3RK3 w - - 0 1"], ["moves", { square: "c6" }]],
    goesOn: true,
    excuse: ({ call: [name], theirs, ours, pair }) =>
      /^(moves|move|history|undo)$/.test(name) && withoutChecks(theirs) === withoutChecks(ours) &&
      (canTakeKing(pair.ours) || pair.ours.history({ verbose: true }).some(({ captured }) => captured === "k")),
  },
  {
    id: "king-taken",
    sees: "what follows when a king has been taken",
    why: "the board has no such king; chess.js looks for checks where it was",
    program: [["new", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"], ["move", { from: "e7", to: "e8" }], ["isCheck"]],
    excuse: ({ pair }) => pair.ours?.history({ verbose: true }).some(({ captured }) => captured === "k"),
  },
  {
    id: "pawns-on-edges",
    sees: "pawns on the first or last rank",
    why: "they can't move there; chess.js fails",
    program: [["new"], ["put", { type: "p", color: "w" }, "g8"], ["moves"]],
    excuse: ({ pair }) => pair.ours && /^[^/]*p|p[^/]*$/i.test(pair.ours.fen().split(" ")[0]),
  },
  {
    id: "put-type",
    sees: "`put` of a piece whose type isn't one of the six letters, or whose colour isn't `w` or `b`",
    why: "answers `false`, or takes a capital letter; chess.js fails, or puts something on the board that it can't move",
    program: [["new"], ["put", { type: "", color: "w" }, "e4"]],
    excuse: ({ call: [name, piece] }) => name === "put" && !(/^[pnbrqk]$/.test(piece.type) && /^[wb]$/.test(piece.color)),
  },
];

/** A program in few words. */
function example(program) {
  const statements = program.map(statement);
  if (program.length > 2) return statements.join(" ");
  return statements.join("").replace("const chess = ", "").replace(/;chess|;$/g, "");
}

/** The part of an answer that begins a little before the place where it differs from another one. */
function shortened(answer, other) {
  const length = 64;
  const place = [...answer].findIndex((letter, index) => letter !== other[index]);
  const start = answer.length <= length ? 0 : Math.max(0, place - 20);
  const end = start + length;
  return (start > 0 ? "…" : "") + answer.slice(start, end) + (end < answer.length ? "…" : "");
}

const cell = (code) => `\`${code.replaceAll("|", "\\|")}\``;

/** The table of `chess-js.md`, with the answers that both give. */
export function table(Theirs, Ours) {
  const rows = DIFFERENCES.map(({ sees, why, program }) => {
    const { calls, theirs, ours } = run(program, Theirs, Ours);
    const answers = [shortened(theirs, ours), shortened(ours, theirs)].map(cell);
    return `| ${[sees, cell(example(calls)), ...answers, why].join(" | ")} |\n`;
  });
  const head = "| What | For example | chess.js 1.4.0 | `tabiya/chess.js` | Why |\n|---|---|---|---|---|\n";
  return head + rows.join("");
}
