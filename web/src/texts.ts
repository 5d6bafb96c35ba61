// All texts of the page, in one place. To translate the page, translate this file. Names of layers,
// reasons and methods come from the library.

import type { Color, Ending, Placed, Role } from "tabiya";

const colors: Record<Color, string> = { white: "White", black: "Black" };

const roles: Record<Role, string> = {
  pawn: "pawn",
  knight: "knight",
  bishop: "bishop",
  rook: "rook",
  queen: "queen",
  king: "king",
};

const piece = (color: Color, role: Role) => `${color} ${roles[role]}`;

const count = (number: number | bigint, one: string, many = `${one}s`) =>
  `${number.toLocaleString("en")} ${number === 1 || number === 1n ? one : many}`;

export const texts = {
  colors,
  roles,
  piece,
  count,

  page: {
    title: "tabiya explorer",
    subtitle: "See what a chess move generator sees.",
    failed: "The page cannot start: this browser does not run its WebAssembly module.",
    skip: "Skip to the board",
    source: "Everything is computed in your browser; no request leaves the page.",
    tabs: {
      layers: "Layers",
      moves: "Moves",
      methods: "Methods",
      calculator: "Calculator",
      perft: "Perft",
      compare: "Debugger",
    },
    panels: "What to look at",
    copied: "Copied.",
    notCopied: "The browser does not allow copying.",
  },

  board: {
    label: "Chess board",
    square: (square: string, there: Placed | undefined, sets: readonly string[], isTarget: boolean, inCheck: boolean) =>
      [
        square,
        there ? piece(there.color, there.role) : "empty",
        inCheck && "in check",
        isTarget && "can be moved to",
        sets.length > 0 && `in ${sets.join(", ")}`,
      ]
        .filter(Boolean)
        .join(", "),
    chosen: (square: string, there: Placed | undefined, targets: number) =>
      there
        ? `${square}, ${piece(there.color, there.role)}, ${count(targets, "legal target")}`
        : `${square}, empty`,
    released: "Nothing chosen",
    played: (san: string, ending: Ending | undefined, check: boolean) =>
      ending ? `${san}, ${ending.reason}, ${ending.result}` : check ? `${san}, check` : san,
    promotion: "Promote to",
    reasonLine: "the line that matters",
    instead: (moves: readonly string[]) => ` Did you mean ${moves.join(" or ")}?`,
  },

  controls: {
    label: "Position",
    position: "Position",
    fen: "FEN",
    fenHint: "A FEN, a name such as kiwipete, or chess960:518",
    load: "Load",
    named: "Named positions",
    choose: "Choose a position",
    standard: "Standard perft positions",
    examples: "Worth a look",
    example: {
      enPassantPin: "En passant that exposes the king",
      doubleCheck: "Double check",
      pins: "Pinned pieces",
      throughCheck: "Castling past attacked squares",
      kingBehind: "No shelter behind the king itself",
      discovered: "Discovered checks",
      promotion: "Promotions everywhere",
      chess960: "Chess960 castling",
    },
    move: "Move",
    moveHint: "In any notation: e4, Nf3, e2e4, O-O",
    play: "Play",
    undo: "Undo",
    redo: "Redo",
    flip: "Flip the board",
    edit: "Edit",
    theme: "Theme",
    themes: { auto: "Automatic", light: "Light", dark: "Dark" },
    link: "Copy link",
    line: "Line of moves",
    noMoves: "No moves yet. Drag a piece, choose two squares, or write a move.",
    first: "First position",
    previous: "Previous move",
    next: "Next move",
    last: "Last move",
    toMove: (color: Color) => `${colors[color]} to move`,
    ended: (ending: Ending) => `${ending.result}, ${ending.reason}`,
    check: "check",
    invalid: (error: string) => `This position cannot be played: ${error}.`,
    remark: (remark: string) => `Playable, but no game reaches it: ${remark}.`,
  },

  editor: {
    label: "Board editor",
    palette: "Piece to place",
    erase: "Erase",
    turn: "Side to move",
    enPassant: "En passant",
    none: "none",
    castling: "Castling rights",
    rights: {
      K: "White, king side",
      Q: "White, queen side",
      k: "Black, king side",
      q: "Black, queen side",
    },
    clear: "Clear the board",
    start: "Start position",
    mirror: "Exchange the colours",
    placed: (color: Color, role: Role, square: string) => `${piece(color, role)} placed on ${square}`,
    emptied: (square: string) => `${square} emptied`,
  },

  picture: {
    label: (name: string, squares: readonly string[]) =>
      `${name}: ${squares.length === 0 ? "no squares" : squares.join(", ")}`,
    squares: (number: number) => count(number, "square"),
    asText: "As text",
  },

  layers: {
    introduction:
      "Each layer is a set of squares that the generator works with. Choose up to eight; the numbers on the squares say which sets hold them.",
    shown: "Layers on the board",
    nothing: "No layer is shown. Choose some below.",
    hide: (name: string) => `Hide ${name}`,
    groups: {
      attacks: "Attacks",
      check: "Check",
      pins: "Pins and discovered checks",
      king: "The king",
      special: "En passant and castling",
      moves: "Targets of moves",
      lines: "Rays and lines",
      single: "A piece on the chosen square",
      roles: "Attacks by role",
      pieces: "Pieces",
    },
    other: "More layers",
    chosen: (square: string | null) => square ?? "the chosen square",
    needsSquare: "Choose a square on the board for these layers.",
    custom: "Layer by name",
    customHint: "Such as between:e1-e8 or ray:c3-ne",
    add: "Add",
    full: "There is room for eight layers.",
    zero: "Square 0 of numbers",
    copyAs: (language: string) => `Copy as ${language}`,
    why: "Sets that hold the square",
    hover: "Point at a square or move the keyboard to it, to see which of the sets hold it and why.",
    notIn: (square: string) => `${square} is in none of the sets shown.`,
    presets: "Groups of layers",
    preset: {
      attacks: "Attacks of both sides",
      legality: "What makes moves legal",
      special: "En passant and castling",
      none: "None",
    },
  },

  moves: {
    introduction:
      "All legal moves, in the kinds in which engines generate them. Below are the pseudo-legal moves that are not legal, each with the reason.",
    legal: (number: number) => count(number, "legal move"),
    kinds: {
      captures: "Captures and queen promotions",
      quiets: "Quiet moves and underpromotions",
      "quiet-checks": "Quiet moves that give check",
      evasions: "Evasions of check",
    },
    refused: (number: number) => `${count(number, "pseudo-legal move")} that ${number === 1 ? "is" : "are"} not legal`,
    none: "none",
    play: (san: string) => `Play ${san}`,
    why: (uci: string, reasons: string) => `${uci}: ${reasons}`,
    tryLabel: "Why is this move not legal?",
    tryHint: "Any move, legal or not",
    ask: "Explain",
    legalAnswer: (san: string) => `${san} is legal.`,
    unplayable: "There are no moves, since the position cannot be played.",
  },

  perft: {
    introduction:
      "Perft counts the leaf nodes of the game tree: all sequences of so many legal moves. Generators that are right agree on it. The count runs in workers of your browser.",
    depthByDefault: 5,
    depth: "Depth",
    workers: "Workers",
    table: "Table of each worker",
    tableSize: (mebibytes: number) => (mebibytes === 0 ? "none" : `${mebibytes} MiB`),
    byCategory: "By category: captures, checks, mates",
    start: "Count",
    stop: "Stop",
    begun: "Counting has begun.",
    progress: "Progress",
    state: {
      running: "Counting:",
      complete: "Counted:",
      stopped: "Stopped:",
      failed: "The count failed:",
    },
    total: (nodes: bigint, seconds: number, rate: number) =>
      `${count(nodes, "leaf node")} in ${seconds.toFixed(2)} s, ${(rate / 1e6).toLocaleString("en")} million per second.`,
    known: (isRight: boolean, known: bigint) =>
      isRight ? "This is the published number." : `The published number is ${known.toLocaleString("en")}!`,
    failures: (failures: number, last: string) => `${count(failures, "worker")} failed; the last one: ${last}.`,
    copyText: "Copy as text",
    copyJson: "Copy as JSON",
    divide: "Leaf nodes below each move",
    columns: { move: "Move", nodes: "Leaf nodes", share: "Share" },
    percent: (share: number) => `${share.toFixed(share < 10 ? 1 : 0)} %`,
    incomplete: "not counted to the end",
    soFar: "so far",
    categories: "By category",
  },

  compare: {
    introduction:
      "Find the bug in your own move generator: ask it the question below, paste what it prints, and look into the first move that differs. At depth 1 the page names the bug.",
    depthByDefault: 4,
    depth: "Depth",
    question: "Ask your program",
    questionHint: "With UCI:",
    copyQuestion: "Copy the question",
    paste: "What it prints",
    pasteHint: "Moves with counts, in any form: e2e4: 20",
    compare: "Compare",
    counting: (share: number) => `Counting the right numbers: ${Math.round(share * 100)} %`,
    failed: (why: string) => `The right numbers could not be counted: ${why}.`,
    shortened: (length: number) =>
      `All ${length.toLocaleString("en")} characters are compared; the field shows the first of them.`,
    outcome: {
      agrees: "Everything agrees.",
      differs: "Something differs.",
      unreadable: "Nothing in this text looks like a move or a count.",
    },
    summary: (numbers: { differs: number; missing: number; illegal: number; twice: number }) =>
      [
        numbers.differs > 0 && `${count(numbers.differs, "wrong count")}`,
        numbers.missing > 0 && `${count(numbers.missing, "missing move")}`,
        numbers.illegal > 0 && `${count(numbers.illegal, "illegal move")}`,
        numbers.twice > 0 && `${count(numbers.twice, "move")} listed twice`,
      ]
        .filter(Boolean)
        .join(", "),
    totals: (right: bigint | undefined, theirs: bigint | undefined) =>
      [
        right !== undefined && `Right total: ${right.toLocaleString("en")}.`,
        theirs !== undefined && `Theirs: ${theirs.toLocaleString("en")}.`,
      ]
        .filter(Boolean)
        .join(" "),
    columns: { move: "Move", right: "Right", theirs: "Theirs", difference: "Difference", what: "What is wrong" },
    table: "Move by move",
    states: {
      same: "right",
      differs: "wrong count",
      missing: "missing",
      illegal: "not legal",
      twice: "listed twice",
      uncounted: "not counted yet",
      unknown: "not compared",
    },
    onlyWrong: "Only what differs",
    lookInto: (san: string) => `Look into ${san}`,
    next: "Next",
    trail: "Where you are",
    level: (move: string | undefined, depth: number) => `${move ?? "Start"}, depth ${depth}`,
    trailEnd: "here",
    playedAgain: "Ask again with the move played",
    playedHint:
      "By FEN the position is right. Ask once more with the position before it and the move, as below: then your program has to play the move.",
    bug: "The bug",
    hint: "Where to look",
    unread: (lines: number) => `${count(lines, "line")} not understood`,
    leftOut: (moves: number) => `${count(moves, "more move")} not shown`,
    line: (number: number) => `Line ${number}`,
  },
};
