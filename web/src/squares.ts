// Names and numbers of squares. a1 is 0 and h8 is 63, as in the library.

import type { Square } from "./library.ts";

export type { Square };

export const FILES = "abcdefgh";

/** All squares, from a1 to h8. */
export const SQUARES: readonly Square[] = Array.from(
  { length: 64 },
  (_, index) => (FILES[index % 8]! + String(Math.floor(index / 8) + 1)) as Square,
);

const NUMBERS: ReadonlyMap<string, number> = new Map(SQUARES.map((square, index) => [square, index]));

export function isSquare(text: string | null | undefined): text is Square {
  return text !== null && text !== undefined && NUMBERS.has(text);
}

export function numberOf(square: Square): number {
  const number = NUMBERS.get(square);
  if (number === undefined) throw new RangeError(`${square} is not a square`);
  return number;
}

export function has(set: bigint, square: Square): boolean {
  return ((set >> BigInt(numberOf(square))) & 1n) === 1n;
}

export function squaresOf(set: bigint): Square[] {
  return SQUARES.filter((square) => has(set, square));
}

export function setOf(squares: Iterable<Square>): bigint {
  let set = 0n;
  for (const square of squares) set |= 1n << BigInt(numberOf(square));
  return set;
}

export function isLight(square: Square): boolean {
  const number = numberOf(square);
  return ((number % 8) + Math.floor(number / 8)) % 2 === 1;
}

/** The squares row by row, in the order of the screen. */
export function rows(flipped: boolean): Square[][] {
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0];
  const result = ranks.map((rank) => SQUARES.slice(rank * 8, rank * 8 + 8));
  return flipped ? result.reverse().map((row) => row.reverse()) : result;
}
