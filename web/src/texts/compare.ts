// The texts of the debugger.

import { count } from "../texts.ts";

export const words = {
  introduction:
    "Find the bug in your own move generator: ask it the question below, paste what it prints, and look into the first move that differs. At depth 1 the page names the bug.",
  sample: "Try a sample",
  sampleNote: "It's what a program with a bug prints.",
  isSample: "A sample: a program with a bug printed this.",
  own: "Paste your own",
  change: "Change the question or the answer",
  ask: "Question and answer",
  depthByDefault: 4,
  depth: "Depth",
  question: "Ask your program",
  copyQuestion: "Copy the question",
  paste: "What it prints",
  pasteHint: "A move and its count in each line: e2e4: 20",
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
  partAgrees: "The lines that are here agree.",
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
      theirs !== undefined && `Printed: ${theirs.toLocaleString("en")}.`,
    ]
      .filter(Boolean)
      .join(" "),
  columns: { move: "Move", right: "Right", theirs: "Printed", difference: "Difference", what: "What is wrong" },
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
  otherDepth: (theirs: number, asked: number) =>
    `These are the counts of depth ${theirs}, and the question was depth ${asked}. If the program was asked to depth ${asked}, it counts a ply too ${theirs < asked ? "few" : "many"}.`,
  compareAt: (depth: number) => `Compare with depth ${depth}`,
  askAt: (depth: number) => `Ask your program at depth ${depth}`,
  playedAgain: "Ask again with the move played",
  playedHint:
    "By FEN the position is right. Ask once more with the position before it and the move, as below: then your program has to play the move.",
  bug: "The bug",
  hint: "Where to look",
  unread: ({ number, text, expected }: { number: number; text: string; expected: string }) =>
    `Line ${number} can't be read: ${text}. Expected: ${expected}.`,
  leftOut: (moves: number) => `${count(moves, "more move")} not shown`,
};
