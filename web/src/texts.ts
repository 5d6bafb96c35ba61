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
};
