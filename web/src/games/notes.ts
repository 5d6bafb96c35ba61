// The coloured squares and arrows in the comments of a game, for the board and as text.

import type { GameMark } from "./library.ts";

import type { NoteColor, Overlay } from "../page.ts";
import { setOf } from "../squares.ts";
import { words } from "../texts/games.ts";

/** The colours by their letters in comments, each with its number among those of the layers. */
const COLORS = [
  { letter: "G", color: "green", number: 4 },
  { letter: "R", color: "red", number: 3 },
  { letter: "Y", color: "yellow", number: 1 },
  { letter: "B", color: "blue", number: 2 },
] as const;

/** Squares and arrows that have one colour. */
interface Group {
  readonly color: NoteColor;
  readonly number: number;
  readonly squares: readonly GameMark[];
  readonly arrows: readonly GameMark[];
}

function groupsOf(marks: readonly GameMark[]): Group[] {
  return COLORS.map(({ letter, color, number }) => {
    const all = marks.filter((mark) => mark.color === letter);
    const isSquare = ({ from, to }: GameMark) => from === to;
    return { color, number, squares: all.filter(isSquare), arrows: all.filter((mark) => !isSquare(mark)) };
  });
}

/** The squares as rings, one mark for each colour, and the arrows. */
export function notesOf(marks: readonly GameMark[]): Overlay {
  const groups = groupsOf(marks);
  return {
    marks: groups.filter(({ squares }) => squares.length > 0).map(({ color, number, squares }) => ({
      name: words.marked(words.colors[color]),
      squares: setOf(squares.map(({ from }) => from)),
      color: number,
      style: "ring",
    })),
    arrows: groups.flatMap(({ color, arrows }) => arrows.map(({ from, to }) => ({ from, to, kind: color }))),
  };
}

/** The same as sentences, for people who do not see the board. */
export function writtenNotes(marks: readonly GameMark[]): string {
  const sentences = groupsOf(marks).flatMap(({ color, squares, arrows }) => [
    squares.length > 0 && words.squares(words.colors[color], squares.map(({ from }) => from)),
    arrows.length > 0 && words.arrows(words.colors[color], arrows.map(({ from, to }) => words.arrow(from, to))),
  ]);
  return sentences.filter(Boolean).join(" ");
}
