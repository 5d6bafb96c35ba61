// Random programs of calls, as users of chess.js write them, and with mistakes in them.
import { Chess, DEFAULT_POSITION, SQUARES } from "chess.js";

import { boardFen, damaged, FAULTY, LEGAL, REFUSED } from "./positions.mjs";

const PIECES = ["p", "n", "b", "r", "q", "k"];
const COLORS = ["w", "b"];
const WORDS = [
  "a comment", "", " x ", "two  words", "{braces}", "a } b { c } d", "1. e4", "line\nbreak", "; semicolon", "é ♞ 馬",
];
const TAGS = [
  "White", "Black", "Event", "Result", "Annotator", "FEN", "SetUp", "WhiteElo", "Custom", "site", "TimeControl",
];
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];

/** What a program does mostly, and how often. */
const KINDS = {
  game: { move: 50, shuffle: 3, undo: 6, wrongMove: 6, query: 20, comment: 5, header: 3, setTurn: 1, nullMove: 1 },
  pgn: { move: 20, undo: 10, loadPgn: 6, comment: 15, header: 8, query: 15, pgn: 8 },
  editor: { put: 20, remove: 14, castling: 6, setTurn: 3, query: 30, move: 6, load: 3, clear: 1, undo: 1 },
  mixed: {
    move: 20, shuffle: 1, undo: 5, wrongMove: 5, put: 2, remove: 2, castling: 2, setTurn: 2, query: 20, comment: 4,
    header: 4, load: 3, clear: 1, reset: 1, loadPgn: 1, pgn: 2, nullMove: 2,
  },
};

const square = (random) => (random.chance(0.96) ? random.pick(SQUARES) : random.pick(["", "z9", "E4", "e9", "e44"]));
const piece = (random) => (random.chance(0.96) ? random.pick(PIECES) : random.pick(["x", "P", "king"]));
const color = (random) => random.pick(COLORS);

/** A FEN: of a suite, after a walk, of a board at random, or one that is refused. */
function fen(random) {
  const kind = random.weighted({ suite: 5, walk: 3, board: 4, refused: 1, faulty: 2, damaged: 1 });
  if (kind === "refused") return random.pick(REFUSED);
  if (kind === "faulty") return random.pick(FAULTY);
  if (kind === "damaged") return damaged(random, random.pick(LEGAL));
  if (kind === "suite") return random.pick(LEGAL);
  if (kind === "board") return random.chance(0.1) ? boardFen(random) : playable(random, () => boardFen(random));
  return walked(random, random.below(40)).fen();
}

/** A game of moves at random. */
function walked(random, length, start = random.pick(LEGAL)) {
  const chess = new Chess(start);
  for (let ply = 0; ply < length; ply += 1) {
    const moves = chess.moves();
    if (moves.length === 0) break;
    chess.move(random.pick(moves));
  }
  return chess;
}

/** The legal moves, or none where chess.js can't say. */
function legal(chess, options) {
  try {
    return chess.moves(options);
  } catch {
    return [];
  }
}

/** A legal move with its fields. Asking chess.js for those of one square is much faster than for all. */
function someMove(random, chess, isWanted = () => true) {
  const own = chess.board().flat().filter((it) => it && it.color === chess.turn());
  while (own.length > 0) {
    const [{ square }] = own.splice(random.below(own.length), 1);
    const moves = legal(chess, { square, verbose: true }).filter(isWanted);
    if (moves.length > 0) return random.pick(moves);
  }
}

/** Whether the side to move could take the king. */
function canTakeKing(chess) {
  const color = chess.turn() === "w" ? "b" : "w";
  return chess.findPiece({ type: "k", color }).some((king) => chess.isAttacked(king, chess.turn()));
}

/** One of several FENs, if possible one where no king can be taken. */
function playable(random, make) {
  for (let left = 8; ; left -= 1) {
    const fen = make();
    if (left === 0 || !canTakeKing(new Chess(fen, { skipValidation: true }))) return fen;
  }
}

/** A board as an editor shows it, with none or more than one king. */
function editedFen(random) {
  const count = () => random.weighted({ 1: 12, 0: 6, 2: 1 });
  return playable(random, () => boardFen(random, { K: Number(count()), k: Number(count()) }));
}

/** How a program begins. */
function beginning(random, kind) {
  if (kind === "editor") {
    if (random.chance(0.3)) return ["new"];
    return ["new", editedFen(random), { skipValidation: true }];
  }
  return random.chance(0.4) ? ["new"] : ["new", fen(random)];
}

/** A move as people type it. */
function typed(random, move) {
  const { from, to, san, promotion = "" } = move;
  const letter = move.piece.toUpperCase();
  const decorated = san + random.pick(["!", "?", "!?", "??", "+", "#", "+!", "!!?", "="]);
  return random.pick([
    san,
    san.replace(/[+#]/, ""),
    san.replace("x", ""),
    san.replace("=", ""),
    san.toLowerCase(),
    san.replaceAll("O", "0"),
    san.replaceAll("O", "o"),
    decorated,
    ` ${san}`,
    from + to + promotion,
    from + to + promotion.toUpperCase(),
    from + to + random.pick(PIECES),
    `${from}-${to}${promotion}`,
    `${from}x${to}`,
    `${letter}${from}${to}`,
    `${letter}${from}-${to}`,
    `${letter}${from}x${to}`,
    `${letter}${from[0]}${to}`,
    `${letter}${from[1]}${to}`,
    `${letter}${from[1]}x${to}`,
    `${letter.toLowerCase()}${from[0]}${to}`,
    `${letter}${to}`,
    `${to}${promotion}`,
    `${from} ${to}`,
    `${from}${to}=${promotion}`,
    `${san} e.p.`,
  ]);
}

/** The calls of each kind; `chess` is a board of chess.js in the same state. */
const CALLS = {
  move(random, chess) {
    const moves = legal(chess);
    if (moves.length === 0) return ["undo"];
    const form = random.weighted({ san: 5, rare: 4, object: 2, typed: 4 });
    if (form === "san") return ["move", random.pick(moves)];
    if (form === "rare") {
      // Castling, promotions, captures of pawns, and double steps, which allow en passant.
      const rare = moves.filter((san) => /O-O|=|^[a-h]x|^[a-h][45]/.test(san));
      return ["move", random.pick(rare.length > 0 ? rare : moves)];
    }
    const move = someMove(random, chess);
    if (form === "typed") {
      const text = typed(random, move);
      return random.chance(0.3) ? ["move", text, { strict: random.chance(0.7) }] : ["move", text];
    }
    const { from, to, promotion } = move;
    // Boards always add a queen.
    const always = random.chance(0.5) ? "q" : promotion;
    return ["move", always ? { from, to, promotion: always } : { from, to }];
  },
  wrongMove: (random, chess) => [
    "move",
    random.pick([
      () => `${random.pick(["", "N", "B", "R", "Q", "K", "P"])}${square(random)}`,
      () => `${square(random)}${square(random)}`,
      () => `${square(random)}${random.pick(["", "="])}${random.pick(["q", "Q", "k", "P"])}`,
      () => ({ from: square(random), to: square(random) }),
      () => ({ from: square(random), to: square(random), promotion: piece(random) }),
      () => ({ from: square(random) }),
      () => damaged(random, random.pick(legal(chess).concat("e4"))),
      () => random.pick(["", "O-O", "O-O-O", "0-0", "0-0-0", "e", "x", "Nf3 e5", "1. e4", "e8=", "resigns"]),
      () => random.pick([undefined, {}, []]),
    ])(),
  ],
  /** Both sides move a piece and move it back, so that positions come again. */
  shuffle(random, chess) {
    const quiet = (board) => someMove(random, board, ({ piece, flags }) => piece !== "p" && flags === "n");
    const first = quiet(chess);
    if (!first) return ["undo"];
    const second = quiet(new Chess(first.after, { skipValidation: true }));
    if (!second) return ["undo"];
    const steps = [first, second].map(({ from, to }) => ["move", { from, to }]);
    const back = [first, second].map(({ from, to }) => ["move", { from: to, to: from }]);
    const circle = [...steps, ...back];
    return random.chance(0.5) ? [...circle, ...circle] : circle;
  },
  nullMove: (random) => ["move", random.pick([null, "--"])],
  undo: () => ["undo"],
  reset: () => ["reset"],
  clear: (random) => random.pick([["clear"], ["clear", {}], ["clear", { preserveHeaders: true }]]),
  load(random) {
    const options = {};
    if (random.chance(0.3)) options.preserveHeaders = random.chance(0.8);
    if (random.chance(0.3)) {
      return ["load", editedFen(random), { ...options, skipValidation: true }];
    }
    return random.chance(0.5) ? ["load", fen(random)] : ["load", fen(random), options];
  },
  put(random) {
    const [type, target] = [piece(random), square(random)];
    const isOnEdge = type === "p" && /[18]/.test(target);
    return ["put", { type: isOnEdge && random.chance(0.95) ? "n" : type, color: color(random) }, target];
  },
  remove: (random, chess) => {
    const occupied = chess.board().flat().filter(Boolean);
    const isWanted = occupied.length > 0 && random.chance(0.7);
    return ["remove", isWanted ? random.pick(occupied).square : square(random)];
  },
  castling(random) {
    const rights = {};
    if (random.chance(0.7)) rights.k = random.chance(0.5);
    if (random.chance(0.7)) rights.q = random.chance(0.5);
    return ["setCastlingRights", color(random), rights];
  },
  setTurn: (random) => ["setTurn", color(random)],
  comment: (random) =>
    random.pick([
      ["setComment", random.pick(WORDS)],
      ["setComment", random.pick(WORDS)],
      ["setComment", random.pick(WORDS)],
      ["getComment"],
      ["getComments"],
      [random.pick(["removeComment", "deleteComment"])],
      [random.pick(["removeComments", "deleteComments"])],
    ]),
  header(random) {
    const tag = random.pick(TAGS);
    return random.pick([
      ["setHeader", tag, tag === "Result" ? random.pick(RESULTS) : random.pick(WORDS)],
      ["setHeader", tag, random.pick([undefined, null, "?", '"quoted"', 2000, true, 0])],
      ["header", tag, random.pick(WORDS)],
      ["header", tag, random.pick(WORDS), random.pick(TAGS)],
      ["header"],
      ["removeHeader", random.chance(0.8) ? tag : "Absent"],
      ["getHeaders"],
    ]);
  },
  pgn: (random) =>
    random.pick([
      ["pgn"],
      ["pgn", {}],
      ["pgn", { newline: random.pick(["\n", "\r\n", "<br>"]) }],
      ["pgn", { maxWidth: random.pick([1, 5, 10, 20, 40, 80]) }],
      ["pgn", { maxWidth: random.pick([5, 20, 72]), newline: "|" }],
      ["history"],
      ["history", { verbose: random.chance(0.7) }],
    ]),
  loadPgn(random) {
    const text = pgn(random);
    if (random.chance(0.2)) return ["loadPgn", text, { strict: random.chance(0.7) }];
    if (random.chance(0.1)) return ["loadPgn", text.replaceAll("\n", "|"), { newlineChar: "\\|" }];
    return ["loadPgn", text];
  },
  query: (random, chess) => QUERIES[random.weighted(QUERY_WEIGHTS)](random, chess),
};

const QUERY_WEIGHTS = {
  moves: 8, verbose: 3, attackers: 6, isAttacked: 6, get: 3, findPiece: 3, board: 1, ascii: 1, fen: 1,
  squareColor: 1, perft: 1, history: 2, pgn: 2, hash: 0.2,
};

const QUERIES = {
  moves(random) {
    const options = {};
    if (random.chance(0.6)) options.square = square(random);
    if (random.chance(0.4)) options.piece = piece(random);
    if (random.chance(0.1)) options.verbose = false;
    return random.chance(0.1) ? ["moves"] : ["moves", options];
  },
  verbose(random) {
    const options = { verbose: true };
    if (random.chance(0.5)) options.square = square(random);
    if (random.chance(0.5)) options.piece = piece(random);
    return ["moves", options];
  },
  attackers: (random) =>
    random.chance(0.3) ? ["attackers", square(random)] : ["attackers", square(random), color(random)],
  isAttacked: (random) => ["isAttacked", square(random), color(random)],
  get: (random) => ["get", square(random)],
  findPiece: (random) => ["findPiece", { type: piece(random), color: color(random) }],
  board: () => ["board"],
  ascii: () => ["ascii"],
  fen: (random) => ["fen", random.pick([{}, { forceEnpassantSquare: true }, { forceEnpassantSquare: false }])],
  squareColor: (random) => ["squareColor", square(random)],
  perft: (random, chess) => ["perft", legal(chess).length > 50 ? 1 : 1 + random.below(2)],
  history: (random) => random.pick([["history"], ["history", { verbose: true }], ["history", {}]]),
  pgn: (random) => CALLS.pgn(random),
  hash: () => ["hash"],
};

/** The text of a game: with comments, variations and tags, in many styles, and sometimes broken. */
function pgn(random) {
  const length = random.chance(0.05) ? 150 : random.below(14);
  const chess = walked(random, length, random.chance(0.6) ? DEFAULT_POSITION : random.pick(LEGAL));
  const moves = chess.history();
  const start = chess.getHeaders().FEN;
  const newline = random.pick(["\n", "\n", "\r\n"]);
  const tags = [];
  for (let count = random.below(4); count > 0; count -= 1) {
    tags.push(`[${random.pick(TAGS.slice(0, 5))} "${random.pick(["?", "A, B", "1-0", "2024.01.02", ""])}"]`);
  }
  if (start) {
    if (random.chance(0.8)) tags.push('[SetUp "1"]');
    if (random.chance(0.95)) tags.push(`[${random.pick(["FEN", "FEN", "FEN", "Fen", "fen"])} "${start}"]`);
  }
  const [, turn, , , , number] = (start ?? DEFAULT_POSITION).split(" ");
  const body = movetext(random, moves, 2 * (Number(number) - 1) + (turn === "b" ? 1 : 0));
  const result = random.chance(0.8) ? random.pick(RESULTS) : "";
  const text = [...tags, ...(tags.length > 0 || random.chance(0.3) ? [""] : []), `${body} ${result}`].join(newline);
  if (random.chance(0.02)) return `${text}${newline}${newline}${pgn(random)}`;
  return random.chance(0.15) ? damaged(random, text) : text;
}

/** The moves from a ply on as text. */
function movetext(random, moves, firstPly) {
  const noise = random.pick([0, 0, 0.15, 0.4]);
  const numbers = random.pick(["usual", "usual", "always", "none"]);
  const words = [];
  const texts = ["a comment", "", "two\nlines", " x ", "(1. e4)", "$1"];
  const remark = () => {
    if (random.chance(noise)) words.push(`{${random.pick(texts)}}`);
    if (random.chance(noise / 8)) words.push("; to the end\n");
  };
  remark();
  for (const [index, san] of moves.entries()) {
    const ply = firstPly + index;
    const number = `${1 + (ply >> 1)}${ply % 2 ? "..." : "."}`;
    if (numbers === "always" || (numbers === "usual" && (ply % 2 === 0 || index === 0))) words.push(number);
    words.push(san + (random.chance(noise) ? random.pick(["!", "?", "!?", "?!", "!!"]) : ""));
    if (random.chance(noise)) words.push(`$${random.below(random.chance(0.1) ? 300 : 140)}`);
    remark();
    if (random.chance(noise / 3)) words.push(`(${number} ${random.pick([san, "e4 e5", "Nf3 {inside}", "h4 (a4)"])})`);
  }
  return words.join(random.pick([" ", " ", "\n"]));
}

/** Makes calls at random on a pair of boards until they differ, or enough are made. */
export function play(random, pair) {
  const kind = random.weighted({ game: 5, pgn: 2, editor: 2, mixed: 3 });
  let difference = pair.call(beginning(random, kind));
  for (let left = 4 + random.below(50); left > 0 && !difference && !pair.over; left -= 1) {
    const made = CALLS[random.weighted(KINDS[kind])](random, pair.theirs);
    for (const call of typeof made[0] === "string" ? [made] : made) {
      difference ??= pair.over ? undefined : pair.call(call);
    }
  }
  return difference;
}
