// A program with a bug, to try the debugger with: it forgets that a capture en passant takes two
// pawns off a rank, and exposes its king.

import { SAMPLE } from "../state.ts";
import type { Level } from "./trail.ts";

/** What the program prints at each level of the trail. */
const PRINTED = [
  {
    moves: "",
    depth: 2,
    text: `d1c1: 5
d1c2: 4
d1e1: 5
d1e2: 5
d2d3: 5
d2d4: 7
h4d8: 5
h4e1: 6
h4e4: 4
h4e7: 4
h4f2: 6
h4f4: 5
h4f6: 6
h4g3: 4
h4g4: 5
h4g5: 4
h4h1: 6
h4h2: 6
h4h3: 4
h4h5: 4
h4h6: 6
h4h7: 6
h4h8: 6

Nodes searched: 118`,
  },
  {
    moves: "d2d4",
    depth: 1,
    text: `a4a3: 1
a4a5: 1
a4b3: 1
a4b4: 1
a4b5: 1
e4e3: 1
e4d3: 1

Nodes searched: 7`,
  },
];

/** What the program prints for the question of a level; empty for other questions. */
export function printedBySample({ question, played }: Level): string {
  const { start, moves, depth } = question;
  const asked = PRINTED.find((it) => start === SAMPLE.start && it.moves === moves && it.depth === depth);
  return played === 0 ? (asked?.text ?? "") : "";
}
