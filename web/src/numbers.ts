// Sets of squares as numbers, for programs that number squares from a1 or from a8.

export type Zero = "a1" | "a8";

/** The number for programs in which this square is bit 0. */
export function numberFor(set: bigint, zero: Zero): bigint {
  if (zero === "a1") return set;
  // If the numbers begin at a8, the ranks are in reverse order: the bytes are swapped.
  let swapped = 0n;
  for (let byte = 0n; byte < 8n; byte += 1n) {
    swapped |= ((set >> (byte * 8n)) & 0xffn) << (56n - byte * 8n);
  }
  return swapped;
}

export function hex(number: bigint): string {
  const digits = number.toString(16).padStart(16, "0");
  return `0x${digits.match(/.{4}/g)!.join("_")}`;
}

export function binary(number: bigint): string {
  const digits = number.toString(2).padStart(64, "0");
  return digits.match(/.{8}/g)!.join(" ");
}

export function popcount(set: bigint): number {
  return [...set.toString(2)].filter((digit) => digit === "1").length;
}

/** Literals of programming languages. */
export const LITERALS: ReadonlyArray<{ language: string; write: (number: bigint) => string }> = [
  { language: "Rust", write: (number) => `${hex(number)}_u64` },
  { language: "C", write: (number) => `0x${number.toString(16).padStart(16, "0")}ULL` },
  { language: "Python", write: (number) => hex(number) },
];
