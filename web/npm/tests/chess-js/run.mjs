// Runs a program of calls on two implementations of chess.js's interface, and compares all that it sees.
//
// A program is a list of calls `[name, ...arguments]`; the first one is the constructor, `["new", ...]`.

/** Calls that change nothing. After any other one the whole state is compared. */
const QUERIES = new Set(
  `ascii attackers board fen findPiece get getCastlingRights getComment getHeaders hash history inCheck isAttacked
   isCheck isCheckmate isDraw isDrawByFiftyMoves isGameOver isInsufficientMaterial isStalemate isThreefoldRepetition
   moveNumber moves perft pgn squareColor turn`.split(/\s+/),
);

/** What a program can see of a board. `getComments` isn't here, because it forgets comments. */
export const STATE = [
  ["fen"],
  ["turn"],
  ["moveNumber"],
  ["moves"],
  ["fen", { forceEnpassantSquare: true }],
  ["getCastlingRights", "w"],
  ["getCastlingRights", "b"],
  ["isCheck"],
  ["inCheck"],
  ["isCheckmate"],
  ["isStalemate"],
  ["isInsufficientMaterial"],
  ["isThreefoldRepetition"],
  ["isDrawByFiftyMoves"],
  ["isDraw"],
  ["isGameOver"],
  ["getHeaders"],
  ["getComment"],
];

/** What takes long to ask for. */
const RARE_STATE = [["board"], ["history"], ["pgn"]];

/** The answers of the methods of a move, in one word. */
function answers(move) {
  const methods = ["isCapture", "isPromotion", "isEnPassant", "isKingsideCastle", "isQueensideCastle", "isBigPawn"];
  return methods.map((name) => Number(move[name]())).join("");
}

/** A value as text: equal for two values only if no program can tell them apart. */
export function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(", ")}]`;
  if (value === null || typeof value !== "object") {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  }
  const { name } = value.constructor;
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${text(field)}`);
  return `${name === "Object" ? "" : `${name} ${answers(value)} `}{${fields.join(", ")}}`;
}

/** What a call answers, as text. */
function outcome(board, [name, ...parameters]) {
  try {
    return text(board[name](...parameters));
  } catch (error) {
    return `throws ${error.name}: ${error.message}`;
  }
}

function made(Chess, [, ...parameters]) {
  try {
    return { board: new Chess(...parameters), answer: "a board" };
  } catch (error) {
    return { answer: `throws ${error.name}: ${error.message}` };
  }
}

/** Calls that change a board without a move, and calls for which chess.js takes moves back. */
const EDITS = ["put", "remove", "setCastlingRights"];
const REPLAYS = ["undo", "history", "pgn", "getComments", "removeComments", "deleteComments"];

/** Two boards that get the same calls. */
export class Pair {
  /** The calls so far. */
  calls = [];
  /** How many answers were compared. */
  compared = 0;
  /** Whether the board was changed after a move, and whether moves were taken back since then. */
  isEdited = false;
  isReplayed = false;
  /** Whether what takes long is compared after each call that changes something. */
  isThorough = false;

  /**
   * `differences` is the list of what may differ: `excuse(difference)` says whether an entry matches. What an entry
   * excuses is counted in `excused`.
   */
  constructor(Theirs, Ours, differences = [], excused = new Map()) {
    Object.assign(this, { Theirs, Ours, differences, excused });
  }

  /** Makes a call on both. Answers `undefined`, or the difference; `over` says that nothing can follow. */
  call(call) {
    this.calls.push(call);
    if (call[0] === "new") {
      const [theirs, ours] = [made(this.Theirs, call), made(this.Ours, call)];
      Object.assign(this, { theirs: theirs.board, ours: ours.board, over: !theirs.board || !ours.board });
      const difference = this.#judge(call, theirs.answer, ours.answer);
      return difference ?? (this.over ? undefined : this.#state());
    }
    this.isReplayed ||= this.isEdited && REPLAYS.includes(call[0]);
    this.answer = outcome(this.theirs, call);
    const difference = this.#judge(call, this.answer, outcome(this.ours, call));
    this.#follow(call[0]);
    if (difference || this.over || QUERIES.has(call[0])) return difference;
    return this.#state();
  }

  /** Notes that a board is changed in the middle of a game. */
  #follow(name) {
    const isNew = ["load", "loadPgn", "reset", "clear"].includes(name) && !this.answer.startsWith("throws ");
    if (isNew) this.isEdited = this.isReplayed = false;
    this.isEdited ||= EDITS.includes(name) && this.ours.history().length > 0;
  }

  #state() {
    const isFull = !this.isEdited && (this.isThorough || this.calls.length % 8 === 7);
    for (const query of isFull ? [...STATE, ...RARE_STATE] : STATE) {
      const difference = this.#compare(query);
      if (difference || this.over) return difference;
    }
  }

  #compare(call) {
    return this.#judge(call, outcome(this.theirs, call), outcome(this.ours, call));
  }

  #judge(call, theirs, ours) {
    this.compared += 1;
    if (theirs === ours) return undefined;
    const difference = { call, theirs, ours, calls: this.calls, pair: this };
    const entry = this.differences.find(({ excuse }) => excuse(difference));
    if (!entry) return difference;
    this.excused.set(entry.id, (this.excused.get(entry.id) ?? 0) + 1);
    // What the boards answer from here on isn't comparable, unless the entry says so.
    this.over = !entry.goesOn;
    return undefined;
  }
}

/** Runs a whole program. Answers the first difference that isn't on the list. */
export function run(program, Theirs, Ours, differences, isThorough = false) {
  const pair = Object.assign(new Pair(Theirs, Ours, differences), { isThorough });
  for (const call of program) {
    const difference = pair.call(call);
    if (difference) {
      // A query of the state becomes the program's last call.
      const calls = [...pair.calls];
      if (difference.call !== calls.at(-1)) calls.push(difference.call);
      return { ...difference, calls };
    }
    if (pair.over) return undefined;
  }
}

/** A program as short as we can make it that still differs, and the difference. */
export function shrunk(difference, Theirs, Ours, differences) {
  let best = difference;
  for (let size = best.calls.length >> 1; size >= 1; ) {
    let isShorter = false;
    for (let at = 1; at + size <= best.calls.length; ) {
      const program = [...best.calls.slice(0, at), ...best.calls.slice(at + size)];
      const found = run(program, Theirs, Ours, differences, true);
      if (found && found.calls.length < best.calls.length) {
        best = found;
        isShorter = true;
      } else {
        at += size;
      }
    }
    size = isShorter ? Math.max(1, Math.min(size, best.calls.length >> 1)) : size >> 1;
  }
  return run([["new"], ...best.calls.slice(1)], Theirs, Ours, differences, true) ?? best;
}

const code = (value) => (value === undefined ? "undefined" : JSON.stringify(value));

/** A call as code. */
export function statement([name, ...parameters]) {
  const list = parameters.map(code).join(", ");
  return name === "new" ? `const chess = new Chess(${list});` : `chess.${name}(${list});`;
}

/** A difference as a program that one can paste, with both answers. */
export function report({ calls, theirs, ours }) {
  return [...calls.map(statement), `// chess.js: ${theirs}`, `// ours:     ${ours}`].join("\n");
}
