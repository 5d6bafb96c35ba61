// The lessons: all their texts and states. The answers to their questions come from the library.

import type { Lesson } from "./lesson.ts";

const PINS = "4k3/8/b3r2b/8/2N1R3/8/3P4/4K3 w - - 0 1";
const CHECK = "4k3/8/8/7b/8/5n2/3N4/4K3 w - - 0 1";
const DOUBLE = "4k3/8/4N3/8/8/8/4R3/4K3 w - - 0 1";
const SHADOW = "4k3/8/8/8/4r3/8/4K3/8 w - - 0 1";
const EVASIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const TRAP = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
const DIAGONAL_TRAP = "4k3/b7/8/2Pp4/3K4/8/8/8 w - d6 0 1";
const RESCUE = "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1";
const CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const PAST = "4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1";
const ATTACKED_ROOK = "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
const CHESS960 = "4k3/8/8/8/8/8/8/qR2K3 w B - 0 1";
const PAWNS = "4k3/8/8/8/8/1p1p4/P1P4P/4K3 w - - 0 1";

export const LESSONS: readonly Lesson[] = [
  {
    id: "bitboards",
    title: "Bitboards: sets of squares in a number",
    summary: "64 squares, 64 bits, and what a shift does.",
    steps: [
      {
        text: "A bitboard is a set of squares: one bit for each, a1 is bit 0 and h8 is bit 63. The tint shows the set of all pawns. As a number it is 0x00ff_0000_0000_ff00: two ranks of eight bits.",
        scene: { start: "startpos", panel: "layers", layers: ["pawns"] },
        question: { kind: "squares", ask: "Choose the squares of the set of kings.", layer: "kings", right: "Two squares, two bits: a king is one bit of a 64-bit number." },
      },
      {
        text: "Sets are combined bit by bit. The knights and White's pieces are two sets; their intersection, one machine instruction, is the set of White's knights.",
        scene: { start: "startpos", panel: "layers", layers: ["knights", "white"] },
        question: { kind: "move", ask: "Move one of the pieces that are in both sets.", moves: ["b1a3", "b1c3", "g1f3", "g1h3"], right: "Right: it is in the intersection, knights & white." },
      },
      {
        text: "A shift moves all squares of a set at once. The board shows a shift of White's pawns by 8 places, one rank up. A shift by 9 takes a2 to b3, and one by 7 takes c2 to b3: these two find all captures of all pawns.",
        scene: { start: PAWNS, panel: "calculator", layers: [], settings: { sets: "A:8500", expression: "A << 8" } },
        question: { kind: "squares", ask: "Which squares do White's pawns attack?", layer: "pawn-attacks:white", right: "Right: north_east(A) | north_west(A). Two pawns attack b3, and on the right of the h-pawn the board ends." },
      },
      {
        text: "A shift by 9 takes g2 to h3, but h2 to a4, over the edge: so a mask takes the h-file out first. Step through the shifts of a knight on h4 and watch what the masks remove.",
        scene: { start: "startpos", panel: "methods", layers: [], settings: { method: "shifts", role: "knight", at: "h4", occupied: "0" } },
      },
    ],
    then: { text: "sets and shifts of your own in the calculator", scene: { start: "kiwipete", panel: "calculator", layers: [], settings: { sets: "A:8500", expression: "north_east(A) | north_west(A)" } } },
  },
  {
    id: "sliders",
    title: "Sliders: how far does a rook see?",
    summary: "From rays to magic look-ups, on the board.",
    steps: [
      {
        text: "A slider goes on until it meets a piece. What it attacks depends on the pieces in its way, which are called blockers.",
        scene: { start: "4k3/8/3p4/8/1P1R2p1/8/8/3K4 w - - 0 1", panel: "layers", layers: [], square: "d4" },
        question: { kind: "squares", ask: "Choose the pieces at which the rook on d4 stops.", layer: "d4-blockers", right: "These four pieces end its rays. Nothing behind them matters." },
      },
      {
        text: "The classical way takes the whole ray from a table, finds the nearest blocker with one instruction, and removes the ray that begins behind it. Step through it, and move the blockers.",
        scene: { start: "4k3/8/3p4/8/1P1R2p1/8/8/3K4 w - - 0 1", panel: "methods", layers: [], settings: { method: "classical", role: "rook", at: "d4" } },
      },
      {
        text: "A subtraction finds the blocker without looking for it: the borrow runs through the empty squares, and stops at the first piece. That is o^(o-2r).",
        scene: { start: "4k3/8/3p4/8/1P1R2p1/8/8/3K4 w - - 0 1", panel: "methods", layers: [], settings: { method: "hyperbola", role: "rook", at: "d4" } },
      },
      {
        text: "Only some squares matter for a look-up: a piece on the edge ends the ray anyway. These relevant squares are what a magic multiplication gathers into an index.",
        scene: { start: "4k3/8/3p4/8/1P1R2p1/8/8/3K4 w - - 0 1", panel: "layers", layers: ["relevant:d4"] },
        question: { kind: "move", ask: "Capture a piece on a relevant square with the rook.", moves: ["d4d6", "d4g4"], right: "Both captures end on relevant squares: d6 and g4 are not on the edge." },
      },
      {
        text: "The magic look-up: mask the blockers, add a copy of the magic number for each, take the top bits, and read the attacks from the table. Change a blocker, and watch the index change.",
        scene: { start: "4k3/8/3p4/8/1P1R2p1/8/8/3K4 w - - 0 1", panel: "methods", layers: [], settings: { method: "magic", role: "rook", at: "d4" } },
      },
    ],
    then: { text: "the same look-up for a bishop", scene: { start: "kiwipete", panel: "methods", layers: [], settings: { method: "magic", role: "bishop", at: "e2" } } },
  },
  {
    id: "checks",
    title: "Checks and pins",
    summary: "The masks that make moves legal.",
    steps: [
      {
        text: "Before any move is made, a generator finds the checkers. In check, a move must capture the checker, stand between it and the king, or move the king.",
        scene: { start: CHECK, panel: "layers", layers: ["checkers"] },
        question: { kind: "move", ask: "Capture the checker.", moves: ["d2f3"], right: "A knight's check cannot be blocked: only the capture mask is left, and the king's moves." },
      },
      {
        text: "Two checkers at once: no single move captures or blocks both, so only the king may move. Move the knight, and look at the evasions.",
        scene: { start: DOUBLE, panel: "moves", layers: ["checkers"] },
        question: { kind: "move", ask: "Give a double check with the knight.", moves: ["e6c7", "e6g7"], right: "The knight checks, and opens the file for the rook: a double check." },
      },
      {
        text: "A pinned piece stands alone between its king and a slider. It may move only along the line.",
        scene: { start: PINS, panel: "layers", layers: [] },
        question: { kind: "squares", ask: "Which of White's pieces are pinned?", layer: "pinned", right: "The rook on the e-file. The knight on c4 and the pawn on d2 stand on no line to the king." },
      },
      {
        text: "The rook is pinned along the e-file. It may move on the line, and even capture the pinner; any other move opens the line.",
        scene: { start: PINS, panel: "layers", layers: ["pin-lines", "pinned", "pinners"] },
        question: { kind: "move", ask: "Try a move of the pinned rook that is not legal.", moves: ["e4d4", "e4f4", "e4g4", "e4h4"], right: "Read the reason beside the board: it names the pin, its line and the pinner." },
      },
      {
        text: "The king gives no shelter to itself: the square behind it is attacked as well, because the king leaves the line. King danger is computed without the king.",
        scene: { start: SHADOW, panel: "layers", layers: ["king-danger"] },
        question: { kind: "move", ask: "Try to run away from the rook along the e-file.", moves: ["e2e1"], right: "e1 looks hidden, but the rook sees through the place that the king leaves." },
      },
    ],
    then: { text: "a position in check, with each move that is not legal, and why", scene: { start: EVASIONS, panel: "moves", layers: ["checkers"] } },
  },
  {
    id: "en-passant",
    title: "En passant and its traps",
    summary: "The move that removes two pawns from a line.",
    steps: [
      {
        text: "After a double push, a pawn may be captured as if it had moved one square only. The captured pawn does not stand on the target square.",
        scene: { start: "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", moves: "d7d5", panel: "layers", layers: ["en-passant"] },
        question: { kind: "move", ask: "Capture en passant.", moves: ["e5d6"], right: "The pawn lands on d6, and the pawn on d5 leaves the board." },
      },
      {
        text: "The capture takes two pawns off one rank. Neither pawn is pinned by itself, so a test of pins finds nothing: this is the trap that most generators fall into.",
        scene: { start: TRAP, panel: "layers", layers: ["en-passant-trap"] },
        question: { kind: "move", ask: "Try to capture en passant.", moves: ["e4d3"], right: "Both pawns would leave the fourth rank, and the queen would see the king." },
      },
      {
        text: "The captured pawn can also be the only shelter on a diagonal.",
        scene: { start: DIAGONAL_TRAP, panel: "layers", layers: ["checkers"] },
        question: { kind: "move", ask: "Try to capture en passant.", moves: ["c5d6"], right: "The reason names the line. Generators try this capture out on the board: it is rare." },
      },
      {
        text: "In check by the pawn that has just moved, the capture en passant is an evasion: its target is not the checker's square.",
        scene: { start: RESCUE, panel: "moves", layers: ["checkers", "capture-mask"] },
        question: { kind: "move", ask: "Capture the checker en passant.", moves: ["e4d3"], right: "The checker stood on d4, and the move went to d3. A plain capture mask forgets this move." },
      },
    ],
    then: { text: "the trap in the debugger, with your own program", scene: { start: TRAP, panel: "compare", layers: [], settings: { compare: "1" } } },
  },
  {
    id: "castling",
    title: "Castling",
    summary: "Which squares must be empty, and which safe.",
    steps: [
      {
        text: "A right to castle lasts until the king or the rook moves, or the rook is captured. It says nothing about the squares in between.",
        scene: { start: CASTLING, panel: "layers", layers: ["castling-king-path", "castling-clear"] },
        question: { kind: "move", ask: "Castle on the king side.", moves: ["e1g1"], right: "The king moved two squares, and the rook jumped over it." },
      },
      {
        text: "No square of the king's path may be attacked: neither the one it leaves, nor those it crosses, nor the one where it lands.",
        scene: { start: PAST, panel: "layers", layers: ["attacks:black", "castling-king-path"] },
        question: { kind: "move", ask: "Try to castle on the king side.", moves: ["e1g1"], right: "The bishop on a6 attacks f1. The reason names the square and the piece." },
      },
      {
        text: "The rook may cross an attacked square: b1 is attacked here, but the king does not touch it.",
        scene: { start: ATTACKED_ROOK, panel: "layers", layers: ["attacks:black", "castling-king-path"] },
        question: { kind: "move", ask: "Castle on the queen side.", moves: ["e1c1"], right: "Legal. Many generators refuse this move, since they test b1 too." },
      },
      {
        text: "Chess960 adds a trap: the castling rook may itself shelter the king on the back rank.",
        scene: { start: CHESS960, panel: "layers", layers: ["pinned", "pin-lines"] },
        question: { kind: "move", ask: "Try to castle: move the king onto its rook.", moves: ["e1b1", "e1c1"], right: "After castling, the queen on a1 would give check along the rank." },
      },
    ],
    then: { text: "why castling is not legal, in the list of moves", scene: { start: PAST, panel: "moves", layers: [] } },
  },
  {
    id: "perft",
    title: "Perft as proof",
    summary: "Counts that show a bug, and the way down to it.",
    steps: [
      {
        text: "Perft counts all sequences of a number of legal moves. Right generators agree on every count, so a wrong one proves a bug. At depth 1 it is the number of moves.",
        scene: { start: "startpos", panel: "perft", layers: [], settings: { perft: "1" } },
        question: { kind: "move", ask: "20 moves begin the game. Play one of the four that are not a pawn's.", moves: ["b1a3", "b1c3", "g1f3", "g1h3"], right: "16 moves of pawns and 4 of knights: perft(1) is 20." },
      },
      {
        text: "Press Count: depth 5 takes a moment. The divide below says how many leaf nodes each first move has; together they are the total.",
        scene: { start: "startpos", panel: "perft", layers: [], settings: { perft: "5" } },
      },
      {
        text: "The start position has few rules in it. Kiwipete has all of them within four plies: castling, promotion, pins, en passant. Test your generator there first.",
        scene: { start: "kiwipete", panel: "perft", layers: [], settings: { perft: "4", categories: "1" } },
        question: { kind: "move", ask: "Play one of the two castling moves.", moves: ["e1g1", "e1c1"], right: "Both are legal for both sides, which is why kiwipete finds bugs of castling." },
      },
      {
        text: "To find a bug, paste the divide of your program: the moves that differ light up. Look into one, ask again one ply less deep, and at depth 1 the page names the bug.",
        scene: { start: TRAP, panel: "compare", layers: [], settings: { compare: "1" } },
        question: { kind: "move", ask: "A faulty program lists seven moves here. Try the one that is not legal.", moves: ["e4d3"], right: "Its program forgot the trap of en passant: one move too many, and perft shows it." },
      },
    ],
    then: { text: "the debugger, with your own program", scene: { start: "kiwipete", panel: "compare", layers: [], settings: { compare: "3" } } },
  },
];
