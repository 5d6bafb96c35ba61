// All texts of the page. To translate the page, translate this file. Names of layers, reasons and
// methods come from the library.

import type { Color, Ending, Placed, Role } from "./library.ts";

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

/** A number of leaf nodes per second, without meaningless digits. */
const speed = (rate: number) => {
  const [number, unit] = rate < 1e6 ? [Number(rate.toPrecision(2)), ""] : [rate / 1e6, " million"];
  return number.toLocaleString("en", { maximumFractionDigits: 1 }) + unit;
};

export const texts = {
  colors,
  roles,
  piece,
  count,

  page: {
    title: "tabiya",
    failed: "The page cannot start. Either the connection was lost, or this browser does not run WebAssembly.",
    skip: "Skip to the board",
    source: "Everything is computed in your browser; no request leaves the page.",
    tabs: {
      layers: "Layers",
      moves: "Moves",
      methods: "Methods",
      calculator: "Calculator",
      perft: "Perft",
      compare: "Debugger",
      lessons: "Lessons",
    },
    panels: "What to look at",
    loading: "Loading …",
    notLoaded: "This part of the page could not be loaded. Reload the page when there is a connection.",
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
    cancel: "Cancel",
    reasonLine: "the line that matters",
    instead: (moves: readonly string[]) => ` Did you mean ${moves.join(" or ")}?`,
  },

  input: {
    label: "Position, game or moves",
    placeholder: "Nf3, FEN, PGN, UCI, kiwipete …",
    go: "Go",
    understood: (kind: "name" | "chess960" | "fen" | "epd" | "uci" | "address", moves: number) => {
      const what = {
        name: "Read as the name of a position.",
        chess960: "Read as a number of Chess960.",
        fen: "Read as a FEN.",
        epd: "Read as an EPD; its operations are left out.",
        uci: "Read as a position of UCI.",
        address: "Read from the FEN in the address; nothing was loaded.",
      };
      return moves === 0 ? what[kind] : `${what[kind]} ${count(moves, "move")} played.`;
    },
    played: (moves: number) => `Read as moves: ${moves} played.`,
    game: (players: string, result: string, moves: number, variations: number, more: number) =>
      [
        `Read as a game${players === "" ? "" : `, ${players}`}${result === "*" ? "" : `, ${result}`}: ${count(moves, "ply", "plies")}.`,
        variations > 0 && `${count(variations, "variation")} left out.`,
        more > 0 && `${count(more, "more game")} not shown.`,
      ]
        .filter(Boolean)
        .join(" "),
    brokenGame: (moves: number, error: string) => `Read as a game up to ply ${moves}. Then: ${error}.`,
    ownAddress: "Read as an address of this page.",
  },

  tools: {
    positions: "Positions",
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
    edit: "Edit",
    theme: "Theme",
    themes: { auto: "Theme: automatic", light: "Theme: light", dark: "Theme: dark" },
    link: "Copy link",
  },

  verdict: {
    label: "Verdict",
    fen: "FEN",
    copy: "Copy",
    copyFen: "Copy the FEN",
    toMove: (color: Color) => `${colors[color]} to move`,
    ended: (ending: Ending) => `${ending.result}, ${ending.reason}`,
    check: "check",
    claim: (reason: string) => `A draw may be claimed: ${reason}.`,
    invalid: (error: string) => `This position cannot be played: ${error}.`,
    remark: (remark: string) => `Playable, but no game reaches it: ${remark}.`,
  },

  line: {
    label: "Line of moves",
    noMoves: "Drag a piece, choose two squares, or write a move above.",
    first: "First position",
    previous: "Previous move",
    next: "Next move",
    last: "Last move",
    undo: "Undo",
    redo: "Redo",
    flip: "Flip",
  },

  legend: {
    label: "Marks on the board",
    switch: "Switch off or on",
    point: "Point at a square to see which of the sets hold it, and why.",
    notIn: (square: string) => `${square} is in none of the sets shown.`,
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
    mirror: "Mirror (swap colours)",
    placed: (color: Color, role: Role, square: string) => `${piece(color, role)} placed on ${square}`,
    emptied: (square: string) => `${square} emptied`,
  },

  picture: {
    label: (name: string, squares: readonly string[]) =>
      `${name}: ${squares.length === 0 ? "no squares" : squares.join(", ")}`,
    squares: (number: number) => count(number, "square"),
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
    zero: "Bit 0 is",
    copyAs: (language: string) => `Copy as ${language}`,
    presets: "Groups of layers",
    preset: {
      attacks: "Attacks of both sides",
      legality: "What makes moves legal",
      special: "En passant and castling",
      none: "None",
    },
  },

  lessons: {
    label: "Lesson",
    introduction: "Short tours over the panels of this page. Each step sets up the board; a question is answered on the board.",
    step: (here: number, all: number) => `${here} of ${all}`,
    back: "Back",
    next: "Next",
    again: "Show this step again",
    close: "Close",
    end: "End",
    wrong: (square: string) => `Not ${square}. Look again, or go on.`,
    wrongMove: (move: string) => `${move} is not the move in question. Try another one.`,
    unknown: (name: string) => `There is no lesson ${name}.`,
    found: (found: number, all: number) => `${found} of ${all} found.`,
    reveal: "Show the answer",
  },

  moves: {
    introduction:
      "All legal moves, in the kinds in which engines generate them. A move can be of several kinds. Below are the pseudo-legal moves that are not legal, each with the reason.",
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
    unplayable: "There are no moves, since the position cannot be played.",
  },

  methods: {
    method: "Method",
    role: "Piece",
    color: "Colour of the pawn",
    hint: "On the board, choose a square to add or remove a blocker. Choose the piece, then a square, to move it, or drag it.",
    lifted: (role: string) => `The ${role} is taken up; choose its square`,
    added: (square: string) => `A blocker on ${square}`,
    removed: (square: string) => `No blocker on ${square}`,
    bits: (name: string, ones: number) => `The bits of ${name}: ${ones} of 64 are 1`,
    placed: (role: string, square: string) => `The ${role} stands on ${square}`,
    fromBoard: "The board's own pieces",
    empty: "Remove all",
    source: (source: string) => `Source: ${source}.`,
    step: "Step",
    place: (here: number, count: number) => `Step ${here} of ${count}`,
    first: "First step",
    back: "Step back",
    forward: "Step forward",
    last: "Last step",
    play: "Play",
    pause: "Pause",
    pace: "Pace",
    paces: { slow: "Slow", normal: "Normal", fast: "Fast" },
    arithmetic: "Arithmetic of this step",
    part: (part: string) => `, ${part}`,
    setRoles: { input: "input", mask: "mask", intermediate: "intermediate", removed: "removed", result: "attacked so far" },
    steps: {
      start: "The piece as one bit",
      shift: "A shift",
      union: "Both together",
      attacks: "Attacked squares",
      ray: "The ray",
      blockers: "The blockers",
      first: "The first blocker",
      behind: "What it hides",
      line: "The line",
      subtract: "The subtraction",
      mirror: "The byte swap",
      "subtract-mirrored": "The subtraction, mirrored",
      "mirror-back": "The byte swap back",
      inner: "The rank as a number",
      "look-up": "The look-up",
      free: "Where a step can end",
      round: "A round of the fill",
      mask: "The relevant squares",
      multiply: "The multiplication",
      index: "The index",
      extract: "The index by PEXT",
    },
    about: {
      shifts:
        "A set of squares is a number of 64 bits. To move all its squares one rank up is to shift it by eight places, and one file to the right by one place. A square on the h-file would come out on the a-file of the next rank, so the file is masked out before the shift. Knights, kings and pawns need nothing more. A slider would go on until it meets a piece, which takes many steps: the other methods avoid that.",
      classical:
        "For each square and direction, a table has the whole ray to the edge. The pieces on the ray block it, but only the nearest of them counts. Its square has the lowest number on the ray, or the highest, depending on the direction, and CPUs find that with one instruction. The ray that begins at the blocker is exactly what the blocker hides.",
      hyperbola:
        "When you subtract 1 from 1000, the borrow runs through all the zeros up to the first digit that is not zero. In binary the same happens between a slider and its first blocker: a subtraction sets every bit between them. That works towards higher numbers. For the other way the board is mirrored by a byte swap, and mirrored back afterwards.",
      "kogge-stone":
        "A fill flows from the slider over the empty squares. It does not go square by square: it doubles. After the first round it is two squares long, after the second four, after the third eight, and no line of the board is longer. No table is needed, and many sliders flow at once for the price of one.",
      magic:
        "Only some squares matter for a slider's attacks: the relevant ones. A multiplication by a number that was found by trial and error brings the bits of the blockers together at the top of the product. These few bits are the index of a table in which the attacks are ready. It is a hash table in which two sets of blockers share a place only if they leave the same attacks.",
      pext:
        "Newer x86 CPUs have an instruction that does what a magic multiplication achieves: it gathers the bits under a mask into a small number. That number is the index of the table. The table here holds packed sets of 16 bits, which the opposite instruction spreads over the lines of the slider. In the browser, both are computed bit by bit.",
    },
  },

  calculator: {
    introduction:
      "Sets of squares are numbers of 64 bits: a1 is bit 0 and h8 is bit 63. Draw some, and write an expression. Every part of it gets a picture.",
    add: "Add a set",
    added: (name: string) => `Set ${name} added`,
    removed: (name: string) => `Set ${name} removed`,
    remove: (name: string) => `Remove ${name}`,
    full: "There is room for twelve sets.",
    name: "Name of the set",
    taken: (name: string) => `there is a set ${name} already`,
    board: (name: string) => `Squares of ${name}`,
    hex: "The set as a number",
    notHex: (text: string) => `${text} is not a hexadecimal number of at most 64 bits`,
    layer: "Layer to take",
    layerHint: "a layer",
    take: "Take",
    clear: "Clear",
    invert: "Invert",
    expression: "Expression",
    operatorButtons: "Operators",
    functionButtons: "Functions",
    operators: {
      "&": "and",
      "|": "or",
      "^": "exclusive or",
      "~": "not",
      "<<": "shift left",
      ">>": "shift right",
      "+": "plus",
      "-": "minus",
      "*": "times",
      "(": "opening parenthesis",
      ")": "closing parenthesis",
    },
    parts: "The expression and its parts",
    bits: (number: number) => count(number, "bit"),
    square: (square: string, number: bigint) => `${square}, number ${number}`,
    keep: "Keep as a set",
    error: (message: string, wrong: string, start: number, hint: string | undefined) =>
      `${message}${wrong === "" ? "" : ` (${wrong}, at character ${start + 1})`}.${hint === undefined ? "" : ` ${hint[0]!.toUpperCase()}${hint.slice(1)}${hint.endsWith("?") ? "" : "."}`}`,
    help: "What an expression may contain",
    rules: [
      "Values: your sets by name, squares such as e4, file-e and rank-4, all, none, light and dark, every layer by its name, such as pinned or attacks:white, and numbers: 0xff, 0b101, 42.",
      "Operators bind as in Rust. From the tightest: ~ and - before a value, then *, then + and -, then << and >>, then &, then ^, then |.",
      "A minus is a subtraction of numbers, as in o - 2 * r. The squares of a that are not in b are a & ~b.",
      "Names may contain hyphens, and the longest name counts: king-danger is the layer. Put spaces round a minus.",
    ],
  },

  perft: {
    introduction:
      "Perft counts the leaf nodes of the game tree: all sequences of a given number of legal moves. Correct generators agree on it. The count runs in workers of your browser.",
    depthByDefault: 5,
    depth: "Depth",
    workers: "Workers",
    table: "Hash table per worker",
    tableSize: (mebibytes: number) => (mebibytes === 0 ? "none" : `${mebibytes} MiB`),
    byCategory: "Count by category: captures, checks, mates",
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
    total: (nodes: bigint, depth: number, seconds: number, rate: number | null) =>
      [`${count(nodes, "leaf node")} to depth ${depth} in ${seconds.toFixed(2)} s`, rate !== null && `${speed(rate)} per second`]
        .filter(Boolean)
        .join(", ") + ".",
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
    listAgrees: "The list of moves agrees. Without the count of each move, nothing more can be compared.",
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
