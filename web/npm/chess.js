// The class `Chess` with the calls of chess.js 1.4, on tabiya's rules: the rules, notations and the
// reader of PGN are in the WebAssembly module, and this file keeps what chess.js keeps. A board is
// its FEN, a game is a list of moves.
//
// The texts of errors that programs compare, and the layout of PGN, are those of chess.js; see
// NOTICE-chess.js.txt.
import {
  chessAttackers,
  chessEdit,
  chessKey,
  chessLoad,
  chessMoves,
  chessPass,
  chessPerft,
  chessReadPgn,
  chessRights,
  chessSetRight,
  chessStatus,
} from "./pkg/chess.js";

export const WHITE = "w";
export const BLACK = "b";
export const PAWN = "p";
export const KNIGHT = "n";
export const BISHOP = "b";
export const ROOK = "r";
export const QUEEN = "q";
export const KING = "k";

export const DEFAULT_POSITION = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

/** From a8 to h1. */
export const SQUARES = [..."87654321"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));
const PLACES = new Map(SQUARES.map((square, place) => [square, place]));

export const SEVEN_TAG_ROSTER = {
  Event: "?",
  Site: "?",
  Date: "????.??.??",
  Round: "?",
  White: "?",
  Black: "?",
  Result: "*",
};

/** The other tags that the standard of PGN names, in its order. Those without a value are `null`. */
const OTHER_TAGS = `WhiteTitle BlackTitle WhiteElo BlackElo WhiteUSCF BlackUSCF WhiteNA BlackNA WhiteType
  BlackType EventDate EventSponsor Section Stage Board Opening Variation SubVariation ECO NIC Time UTCTime
  UTCDate TimeControl SetUp FEN Termination Annotator Mode PlyCount`.split(/\s+/);
const NO_HEADERS = { ...SEVEN_TAG_ROSTER, ...Object.fromEntries(OTHER_TAGS.map((name) => [name, null])) };

/** The numbers of xoroshiro128**, by David Blackman and Sebastiano Vigna. */
export function xoroshiro128(state) {
  const word = (value) => BigInt.asUintN(64, value);
  const rotated = (value, by) => word((value << by) | (value >> (64n - by)));
  let low = word(state);
  let high = word(state >> 64n);
  return () => {
    const result = word(rotated(word(low * 5n), 7n) * 9n);
    high ^= low;
    low = word(rotated(low, 24n) ^ high ^ (high << 16n));
    high = rotated(high, 37n);
    return result;
  };
}

/** What is wrong with a FEN, in the order and the words of chess.js. */
function complaint(fen, chess960) {
  const fields = fen.split(/\s+/);
  if (fields.length !== 6) return "must contain six space-delimited fields";
  const [board, turn, castling, passed, clock, number] = fields;
  if (!(parseInt(number, 10) > 0)) return "move number must be a positive integer";
  if (!(parseInt(clock, 10) >= 0)) return "half move counter number must be a non-negative integer";
  if (!/^(-|[a-h][36])$/.test(passed)) return "en-passant square is invalid";
  if ((chess960 ? /[^a-hkqA-HKQ-]/ : /[^kqKQ-]/).test(castling)) return "castling availability is invalid";
  if (turn !== "w" && turn !== "b") return "side-to-move is invalid";
  const ranks = board.split("/");
  if (ranks.length !== 8) return "piece data does not contain 8 '/'-delimited rows";
  for (const rank of ranks) {
    // The first fault counts, from left to right.
    const fault = /\d\d|[^\dprnbqk]/i.exec(rank)?.[0];
    if (fault !== undefined) return `piece data is invalid (${/\d/.test(fault) ? "consecutive number" : "invalid piece"})`;
    const squares = [...rank].reduce((sum, letter) => sum + (/\d/.test(letter) ? Number(letter) : 1), 0);
    if (squares !== 8) return "piece data is invalid (too many squares in rank)";
  }
  if (passed[1] === (turn === "w" ? "3" : "6")) return "illegal en-passant square";
  for (const [name, letter] of [["white", "K"], ["black", "k"]]) {
    const kings = board.split(letter).length - 1;
    if (kings === 0) return `missing ${name} king`;
    if (kings > 1) return `too many ${name} kings`;
  }
  if (/p/i.test(ranks[0] + ranks[7])) return "some pawns are on the edge rows";
  return undefined;
}

export function validateFen(fen, { chess960 = false } = {}) {
  const error = complaint(fen, chess960);
  return error === undefined ? { ok: true } : { ok: false, error: `Invalid FEN: ${error}` };
}

export class Move {
  color;
  from;
  to;
  piece;
  captured;
  promotion;
  flags;
  san;
  lan;
  before;
  after;

  constructor(fields) {
    Object.assign(this, fields);
  }

  isCapture() {
    return this.flags.includes("c");
  }

  isPromotion() {
    return this.flags.includes("p");
  }

  isEnPassant() {
    return this.flags.includes("e");
  }

  isKingsideCastle() {
    return this.flags.includes("k");
  }

  isQueensideCastle() {
    return this.flags.includes("q");
  }

  isBigPawn() {
    return this.flags.includes("b");
  }
}

const NULL_MOVE = "--";

const turnOf = (fen) => fen[fen.indexOf(" ") + 1];
/** The fields of a FEN that make positions equal: all but the counters. */
const identity = (fen) => fen.slice(0, fen.lastIndexOf(" ", fen.lastIndexOf(" ") - 1) + 1);
/** A FEN with another en-passant square. */
const withPassed = (fen, square) => fen.replace(/\S+( \d+ \d+)$/, `${square}$1`);
const pieceOf = (letter) => {
  const type = letter.toLowerCase();
  return { type, color: type === letter ? BLACK : WHITE };
};

let shown = { fen: "", letters: "" };

/** The letters of the pieces from a8 to h1, with dots for empty squares. The last ones are kept, not in
 * the objects, which may be observed. */
function lettersOf(fen) {
  if (shown.fen !== fen) {
    const board = fen.slice(0, fen.indexOf(" "));
    const letters = board.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(digit));
    shown = { fen, letters };
  }
  return shown.letters;
}

/** A move in SAN without signs that say nothing about which move it is. */
const stripped = (san) => san.replace("=", "").replace(/[+#]?[?!]*$/, "");

/** The role of the piece that a text moves; `undefined` if it doesn't say. */
function roleIn(text) {
  const letter = text.charAt(0);
  if (letter >= "a" && letter <= "h") return /[a-h]\d.*[a-h]\d/.test(text) ? undefined : PAWN;
  return letter === "O" || letter === "o" ? KING : letter.toLowerCase();
}

// The fields are no private ones, because these can't be reached through the proxies of Vue and others.
export class Chess {
  constructor(fen = DEFAULT_POSITION, { skipValidation = false, chess960 = false } = {}) {
    this._header = {};
    this.load(fen, { skipValidation, chess960 });
  }

  clear({ preserveHeaders = false } = {}) {
    this._fen = EMPTY;
    /** The square that the last double push has crossed, if a pawn could capture there but for its king. */
    this._passed = "";
    /** Each move with the `_passed` before it. */
    this._history = [];
    /** Comments by the FENs of their positions. */
    this._comments = {};
    if (!preserveHeaders) this._header = { ...NO_HEADERS };
    this._header.SetUp = null;
    this._header.FEN = null;
  }

  load(fen, { skipValidation = false, preserveHeaders = false, chess960 = this._chess960 } = {}) {
    let fields = fen.split(/\s+/);
    if (fields.length >= 2 && fields.length < 6) {
      fields = [...fields, ...["-", "-", "0", "1"].slice(fields.length - 6)];
      fen = fields.join(" ");
    }
    if (!skipValidation) {
      const { ok, error } = validateFen(fen, { chess960 });
      if (!ok) throw new Error(error);
    }
    if (fields.length < 6) throw new Error("Invalid FEN: must contain six space-delimited fields");
    const [board, turn, castling, passed, clock, number] = fields;
    const counter = (text) => Math.min(parseInt(text, 10), 65535);
    const loaded = chessLoad([board, turn, castling, passed, counter(clock), counter(number)].join(" "), chess960);
    this.clear({ preserveHeaders });
    this._chess960 = chess960;
    this._fen = loaded;
    this._passed = passed === "-" ? "" : passed;
    this._updateSetup(fen);
  }

  reset() {
    this.load(DEFAULT_POSITION);
  }

  /** Writes the position into the headers, unless moves have been played. */
  _updateSetup(fen) {
    if (this._history.length > 0) return;
    const isUsual = fen === DEFAULT_POSITION && !this._chess960;
    this._header.SetUp = isUsual ? null : "1";
    this._header.FEN = isUsual ? null : fen;
    if (this._chess960) this._header.Variant = "Chess960";
  }

  fen({ forceEnpassantSquare = false } = {}) {
    if (!forceEnpassantSquare || this._passed === "") return this._fen;
    return withPassed(this._fen, this._passed);
  }

  get(square) {
    const letter = lettersOf(this._fen)[PLACES.get(square)];
    return letter === undefined || letter === "." ? undefined : pieceOf(letter);
  }

  findPiece({ type, color }) {
    const letters = lettersOf(this._fen);
    return SQUARES.filter((_, place) => {
      const piece = pieceOf(letters[place]);
      return piece.type === type && piece.color === color;
    });
  }

  put({ type, color }, square) {
    const role = type.toLowerCase();
    if (!/^[pnbrqk]$/.test(role) || (color !== WHITE && color !== BLACK) || !PLACES.has(square)) return false;
    const fen = chessEdit(this._fen, square, color === WHITE ? role.toUpperCase() : role);
    if (fen === undefined) return false;
    this._edited(fen);
    return true;
  }

  remove(square) {
    const piece = this.get(square);
    // As in chess.js, any call ends the chance to capture en passant.
    this._edited(PLACES.has(square) ? chessEdit(this._fen, square) : withPassed(this._fen, "-"));
    return piece;
  }

  _edited(fen) {
    this._fen = fen;
    this._passed = "";
    this._updateSetup(fen);
  }

  setTurn(color) {
    if (this.turn() === color) return false;
    this.move(NULL_MOVE);
    return true;
  }

  setCastlingRights(color, rights) {
    for (const side of [KING, QUEEN]) {
      if (rights[side] !== undefined) {
        const letter = color === WHITE ? side.toUpperCase() : side;
        this._fen = chessSetRight(this._fen, letter, Boolean(rights[side]), this._chess960);
      }
    }
    const result = this.getCastlingRights(color);
    return [KING, QUEEN].every((side) => rights[side] === undefined || rights[side] === result[side]);
  }

  getCastlingRights(color) {
    const rights = chessRights(this._fen);
    const has = (side) => rights.includes(color === WHITE ? side.toUpperCase() : side);
    return { [KING]: has(KING), [QUEEN]: has(QUEEN) };
  }

  attackers(square, attackedBy) {
    if (!PLACES.has(square)) return [];
    const squares = chessAttackers(this._fen, square, attackedBy || this.turn());
    return squares === "" ? [] : squares.split(" ");
  }

  isAttacked(square, attackedBy) {
    return Boolean(attackedBy) && this.attackers(square, attackedBy).length > 0;
  }

  /** Check, no legal moves, too little material: each as a bit. */
  _status() {
    return chessStatus(this._fen);
  }

  isCheck() {
    return (this._status() & 1) !== 0;
  }

  inCheck() {
    return this.isCheck();
  }

  isCheckmate() {
    return (this._status() & 3) === 3;
  }

  isStalemate() {
    return (this._status() & 3) === 2;
  }

  isInsufficientMaterial() {
    return (this._status() & 4) !== 0;
  }

  isThreefoldRepetition() {
    const position = identity(this._fen);
    return this._history.filter(({ move }) => move.before.startsWith(position)).length >= 2;
  }

  isDrawByFiftyMoves() {
    return Number(this._fen.split(" ")[4]) >= 100;
  }

  isDraw() {
    const status = this._status();
    const isOnBoard = (status & 3) === 2 || (status & 4) !== 0;
    return isOnBoard || this.isDrawByFiftyMoves() || this.isThreefoldRepetition();
  }

  isGameOver() {
    const status = this._status();
    // No moves are a checkmate or a stalemate.
    return (status & 6) !== 0 || this.isDrawByFiftyMoves() || this.isThreefoldRepetition();
  }

  hash() {
    return chessKey(this._fen);
  }

  perft(depth) {
    return Number(chessPerft(this._fen, Math.max(1, depth)));
  }

  moves({ verbose = false, square, piece } = {}) {
    const role = piece?.toLowerCase();
    const from = square?.toLowerCase();
    if (verbose) return this._moves(from, role).map((move) => this._made(move));
    return this._lines(from, role, "", false);
  }

  /** The legal moves of a square and of a role, if they're given, as lines of the module. */
  _lines(square, role, only, isDetailed) {
    if ((square && !PLACES.has(square)) || (role && !/^[pnbrqk]$/.test(role))) return [];
    const lines = chessMoves(this._fen, square || "", role || undefined, only, isDetailed);
    return lines === "" ? [] : lines.split("\n");
  }

  /** The same with their details. `passed` is that of the position after the move. */
  _moves(square, role, only = "") {
    return this._lines(square, role, only, true).map((line) => {
      const [from, to, piece, captured, promotion, flags, san, passed, after] = line.split("\t");
      return { from, to, piece, captured, promotion, flags, san, passed, after };
    });
  }

  _made({ from, to, piece, captured, promotion, flags, san, after }) {
    return new Move({
      color: this.turn(),
      from,
      to,
      piece,
      captured: captured || undefined,
      promotion: promotion || undefined,
      flags,
      san,
      lan: from + to + promotion,
      before: this._fen,
      after,
    });
  }

  /** The null move goes from a8 to a8, as in chess.js. */
  _null() {
    const [from] = SQUARES;
    const after = chessPass(this._fen);
    return { from, to: from, piece: KING, captured: "", promotion: "", flags: "-", san: NULL_MOVE, passed: "", after };
  }

  move(move, { strict = false } = {}) {
    let found;
    if (typeof move === "string") found = this._read(move, strict);
    else if (move === null) found = this._null();
    else if (typeof move === "object" && PLACES.has(move.from)) {
      const fits = (it) => it.promotion === "" || it.promotion === move.promotion;
      found = this._between(this._moves(move.from, "", String(move.to)), move.to, fits);
    }
    if (!found) throw new Error(`Invalid move: ${typeof move === "string" ? move : JSON.stringify(move)}`);
    if (found.flags === "-" && this.isCheck()) throw new Error("Null move not allowed when in check");
    return new Move(this._play(found));
  }

  _play(found) {
    const move = this._made(found);
    this._history.push({ move, passed: this._passed });
    this._fen = move.after;
    this._passed = found.passed;
    return move;
  }

  /** The move of one piece to a square. In Chess960, a king castles onto its rook; if it can't go to
   * its target otherwise, that means castling as well. */
  _between(moves, to, fits) {
    const targets = { k: "g", q: "c" };
    const fitting = moves.filter(fits);
    return (
      fitting.find((it) => it.to === to) ??
      fitting.find((it) => it.flags in targets && to === targets[it.flags] + it.from[1])
    );
  }

  /** The move that a text names: in SAN, or, if it isn't strict, in the other forms that chess.js reads. */
  _read(text, strict) {
    let clean = stripped(text);
    if (clean === NULL_MOVE) return this._null();
    if (!strict && (clean === "0-0" || clean === "0-0-0")) clean = clean.replaceAll("0", "O");
    const [exact] = clean === "" ? [] : this._moves("", "", clean);
    if (exact || strict) return exact;

    // A role, an origin or a part of it, a target and a promotion; or a capture without its sign.
    const parts =
      /([pnbrqkPNBRQK])?([a-h][1-8])x?-?([a-h][1-8])([qrbnQRBN])?/.exec(clean) ??
      /([pnbrqkPNBRQK])?([a-h]?[1-8]?)x?-?([a-h][1-8])([qrbnQRBN])?/.exec(clean);
    if (!parts) return undefined;
    const [, piece, from, to, promotion] = parts;
    const role = piece?.toLowerCase() ?? roleIn(clean);
    const fits = (it) => !promotion || promotion.toLowerCase() === it.promotion;
    if (from.length === 2) return this._between(this._moves(from, role, to), to, fits);
    const moves = this._moves("", role);
    if (from === "") return moves.find(({ san }) => stripped(san).replace("x", "") === clean);
    return this._between(moves.filter((it) => it.from.includes(from)), to, fits);
  }

  undo() {
    const last = this._history.pop();
    if (last === undefined) return null;
    this._fen = last.move.before;
    this._passed = last.passed;
    return last.move;
  }

  history({ verbose = false } = {}) {
    return this._history.map(({ move }) => (verbose ? new Move(move) : move.san));
  }

  pgn({ newline = "\n", maxWidth = 0 } = {}) {
    const escaped = (value) => String(value).replace(/["\\]/g, "\\$&");
    const headers = Object.entries(this._header).filter(([, value]) => value);
    const lines = headers.map(([name, value]) => `[${name} "${escaped(value)}"]${newline}`);
    if (this._history.length > 0) lines.push(newline);
    const words = this._movetext();
    return lines.join("") + (maxWidth === 0 ? words.join(" ") : wrapped(words, maxWidth, newline));
  }

  /** The full moves with their comments, and the result. */
  _movetext() {
    const parts = [];
    let text = "";
    const comment = (fen) => {
      const found = this._comments[fen];
      if (found !== undefined) text += `${text && " "}{${found}}`;
    };
    if (this._history.length === 0) {
      comment(this._fen);
      parts.push(text);
      text = "";
    }
    for (const [index, { move }] of this._history.entries()) {
      const number = move.before.slice(move.before.lastIndexOf(" ") + 1);
      comment(move.before);
      if (move.color === WHITE) {
        if (text) parts.push(text);
        text = `${number}.`;
      } else if (index === 0) {
        text += `${text && " "}${number}. ...`;
      }
      text += ` ${move.san}`;
    }
    if (text) {
      comment(this._fen);
      parts.push(text);
    }
    return [...parts, this._header.Result || "*"];
  }

  loadPgn(pgn, { strict = false, newlineChar = "\r?\n" } = {}) {
    const text = newlineChar === "\r?\n" ? pgn : pgn.replace(new RegExp(newlineChar, "g"), "\n");
    const parts = chessReadPgn(text);
    const isTag = (part) => part[0] === "t";
    const headers = Object.fromEntries(
      parts.filter(isTag).map((tag) => [tag.slice(1, tag.indexOf(" ")), tag.slice(tag.indexOf(" ") + 1)]),
    );
    this.reset();
    for (const name in headers) this.header(name, headers[name]);
    this._loadStart(headers, strict);

    let result;
    let comments = 0;
    for (const part of parts) {
      const words = part.slice(1);
      if (part[0] === "m") {
        const move = this._read(words, strict);
        if (!move) throw new Error(`Invalid move in PGN: ${words}`);
        this._play(move);
        comments = 0;
      } else if (part[0] === "r") {
        result = words;
        comments = 0;
      } else if (part[0] === "c" || part[0] === "l") {
        const comment = part[0] === "c" ? words.replace(/[\r\n]+/g, " ") : words.trim();
        // One of an empty text after the result takes nothing away.
        if (result !== undefined && comment === "") continue;
        this._comments[this._fen] = comments === 0 ? comment : `${this._comments[this._fen]} ${comment}`;
        comments += 1;
      }
    }
    if (result !== undefined && this._header.Result !== result) this.setHeader("Result", result);
  }

  /** Loads the position of the headers. Unless it's strict, the tag may be written in any case. */
  _loadStart(headers, strict) {
    const name = Object.keys(headers).findLast((key) => key.toLowerCase() === "fen");
    const fen = strict ? headers.FEN : headers[name];
    if (strict && headers.SetUp !== "1") return;
    if (strict && fen === undefined) throw new Error("Invalid PGN: FEN tag must be supplied with SetUp tag");
    if (fen) {
      const chess960 = this._chess960 || /960|fischer|freestyle/i.test(headers.Variant ?? "");
      this.load(fen, { preserveHeaders: true, chess960 });
    }
  }

  header(...args) {
    for (let at = 0; at < args.length; at += 2) {
      const [name, value] = args.slice(at, at + 2);
      if (typeof name === "string" && typeof value === "string") this._header[name] = value;
    }
    return this._header;
  }

  setHeader(key, value) {
    this._header[key] = value ?? SEVEN_TAG_ROSTER[key] ?? null;
    return this.getHeaders();
  }

  removeHeader(key) {
    if (!(key in this._header)) return false;
    this._header[key] = SEVEN_TAG_ROSTER[key] || null;
    return true;
  }

  getHeaders() {
    return Object.fromEntries(Object.entries(this._header).filter(([, value]) => value !== null));
  }

  getComment() {
    return this._comments[this._fen];
  }

  setComment(comment) {
    this._comments[this._fen] = comment.replaceAll("{", "[").replaceAll("}", "]");
  }

  removeComment() {
    const comment = this._comments[this._fen];
    delete this._comments[this._fen];
    return comment;
  }

  deleteComment() {
    return this.removeComment();
  }

  getComments() {
    const line = [...this._history.map(({ move }) => move.before), this._fen];
    const found = [...new Set(line)].filter((fen) => fen in this._comments);
    this._comments = Object.fromEntries(found.map((fen) => [fen, this._comments[fen]]));
    return found.map((fen) => ({ fen, comment: this._comments[fen] }));
  }

  removeComments() {
    const comments = this.getComments();
    this._comments = {};
    return comments;
  }

  deleteComments() {
    return this.removeComments();
  }

  turn() {
    return turnOf(this._fen);
  }

  moveNumber() {
    return Number(this._fen.split(" ")[5]);
  }

  board() {
    const letters = lettersOf(this._fen);
    const cell = (square, place) => (letters[place] === "." ? null : { square, ...pieceOf(letters[place]) });
    const cells = SQUARES.map(cell);
    return [0, 1, 2, 3, 4, 5, 6, 7].map((row) => cells.slice(8 * row, 8 * row + 8));
  }

  ascii() {
    const letters = lettersOf(this._fen);
    const border = "   +------------------------+\n";
    const ranks = [0, 1, 2, 3, 4, 5, 6, 7].map((row) => {
      const cells = [...letters.slice(8 * row, 8 * row + 8)].map((letter) => ` ${letter} `);
      return ` ${8 - row} |${cells.join("")}|\n`;
    });
    return `${border}${ranks.join("")}${border}     a  b  c  d  e  f  g  h`;
  }

  squareColor(square) {
    if (!PLACES.has(square)) return null;
    const place = PLACES.get(square);
    return ((place >> 3) + place) % 2 === 0 ? "light" : "dark";
  }
}

/** Full moves on lines of about this width, as chess.js breaks them: only those with comments are broken
 * themselves, and before these a line may be empty. */
function wrapped(parts, width, newline) {
  let text = "";
  let used = 0;
  const add = (part, limit, separator) => {
    const gap = used + part.length > limit ? newline : separator;
    text += gap + part;
    used = gap === newline ? part.length : used + gap.length + part.length;
  };
  for (const [index, part] of parts.entries()) {
    const separator = index === 0 ? "" : " ";
    if (used + part.length > width && part.includes("{")) {
      for (const [at, word] of part.split(" ").filter(Boolean).entries()) {
        add(word, at === 0 ? width : width - 1, at === 0 ? separator : " ");
      }
    } else {
      add(part, index === 0 ? Infinity : width, separator);
    }
  }
  return text;
}
