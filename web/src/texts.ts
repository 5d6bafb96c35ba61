// The texts that the page starts with. To translate the page, translate this file, those of `texts/`
// and `lessons/lessons.ts`. Names of layers, reasons and methods come from the library.

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

/** A number with its noun. */
export const count = (number: number | bigint, one: string, many = `${one}s`) =>
  `${number.toLocaleString("en")} ${number === 1 || number === 1n ? one : many}`;

export const texts = {
  colors,
  roles,
  piece,

  page: {
    title: "See what a move generator sees",
    about: "chess rules, drawn on the board",
    failed: "The page cannot start. Either the connection was lost, or this browser does not run WebAssembly.",
    skip: "Skip to the board",
    source: "Everything is computed in your browser; no request leaves the page.",
    tabs: {
      lessons: "Lessons",
      layers: "Layers",
      moves: "Moves",
      methods: "Methods",
      calculator: "Calculator",
      perft: "Perft",
      compare: "Debugger",
    },
    panels: "What to look at",
    lesson: "Lesson",
    loading: "Loading …",
    notLoaded: "This part of the page could not be loaded. Reload the page when there is a connection.",
    copied: "Copied.",
    notCopied: "The browser does not allow copying.",
  },

  front: {
    label: "Where to start",
    home: "tabiya",
    why: "Why is this illegal?",
    bug: "Find my bug",
    learn: "Learn",
    usual: "Start position",
    more: {
      why: "Can White castle?",
      bug: "in a perft divide",
      learn: "6 lessons",
      usual: "",
    },
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
    noForm: "This is neither a position nor a game nor a move. The field takes a FEN, a PGN, moves such as Nf3, a position of UCI, or a name such as kiwipete.",
    played: (moves: number) => `Read as moves: ${moves} played.`,
    counts: "These look like a program's counts: the Debugger takes them.",
    debug: "Open them in the Debugger",
    ownAddress: "Read as an address of this page.",
  },

  tools: {
    site: "Site",
    siteTitle: "The guide, the documentation and everything else about tabiya",
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
    flip: "Flip",
    theme: "Theme",
    themes: { auto: "◐ Auto", light: "◐ Light", dark: "◐ Dark" },
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
    noMoves: "Try a move, legal or not: drag a piece, choose two squares, or write it above.",
    first: "First position",
    previous: "Previous move",
    next: "Next move",
    last: "Last move",
    undo: "Undo",
    redo: "Redo",
  },

  legend: {
    label: "Marks on the board",
    pointed: "Sets that hold the square",
    switch: "Switch off or on",
    point: "Point at a square, or touch it, to see its sets and why.",
    show: (layers: number) => `Show ${count(layers, "layer")} here`,
    hide: "Hide the layers here",
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
    bits: (number: number) => count(number, "bit"),
  },

  layers: {
    introduction:
      "Each layer is a set of squares that the generator works with. Choose up to eight: the first three are tints, the others patterns. A set of no square or of all squares is only said in words.",
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
    needsSquare: "Choose a square on the board for these layers.",
    custom: "Layer by name",
    customHint: "Such as between:e1-e8 or ray:c3-ne",
    leftOut: (errors: readonly string[]) => `Left out of the address: ${errors.join("; ")}.`,
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

  moves: {
    introduction:
      "All legal moves, by the kinds in which engines generate them; a move can be of several. Below them, what looks possible but is not legal, and why.",
    legal: (number: number) => count(number, "legal move"),
    kinds: {
      captures: "Captures and queen promotions",
      quiets: "Quiet moves and underpromotions",
      "quiet-checks": "Quiet moves that give check",
      evasions: "Evasions of check",
    },
    refused: (number: number) => `${count(number, "move")} not legal, and why`,
    none: "none",
    play: (san: string) => `Play ${san}`,
    why: (move: string, reasons: string) => `${move}: ${reasons}`,
    unplayable: "There are no moves, since the position cannot be played.",
    board: (reason: string) => `The position cannot be played: ${reason}. But the pieces on its board can move.`,
    boardMoves: (number: number) => count(number, "move"),
  },
};
