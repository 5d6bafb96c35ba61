// What is written with the types of chess.js compiles with ours; the compiler is the test.
import type * as theirs from "chess.js";

import * as ours from "tabiya/chess.js";

/** The public members of a class. */
type Public<Class> = { [Name in keyof Class]: Class[Name] };

export const board: Public<theirs.Chess> = new ours.Chess(ours.DEFAULT_POSITION, { skipValidation: true });
export const move: theirs.Move = new ours.Chess().move("e4");
export const square: theirs.Square = "a1" satisfies ours.Square;
export const piece: theirs.Piece = { type: ours.PAWN, color: ours.WHITE } satisfies ours.Piece;
export const values: Omit<typeof theirs, "Chess" | "Move"> = ours;
