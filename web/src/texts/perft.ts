// The texts of the panel of perft.

import { count } from "../texts.ts";

/** A number of leaf nodes per second, without meaningless digits. */
const speed = (rate: number) => {
  const [number, unit] = rate < 1e6 ? [Number(rate.toPrecision(2)), ""] : [rate / 1e6, " million"];
  return number.toLocaleString("en", { maximumFractionDigits: 1 }) + unit;
};

export const words = {
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
  uncounted: "–",
  running: (nodes: bigint, depth: number, clock: number, left: number | null) => {
    const time = `${clock.toFixed(1)} s`;
    if (left === null) return `Counting to depth ${depth}: ${time}, nothing is finished yet.`;
    const rest = left < 90 ? `${Math.max(1, Math.round(left))} s` : left < 5400 ? `${Math.round(left / 60)} min` : left < 172_800 ? `${Math.round(left / 3600)} h` : `${Math.round(left / 86_400).toLocaleString("en")} days`;
    return `Counting to depth ${depth}: ${count(nodes, "leaf node")} in ${time}, about ${rest} left.`;
  },
  otherPosition: (moves: string) => `The count goes on in the position ${moves === "" ? "at the start" : `after ${moves}`}. The board shows another one.`,
  backToIt: "Back to that position",
  dropIt: "End the count",
  noneOf: (categories: number) => `${categories} ${categories === 1 ? "category" : "categories"} without leaf nodes`,
  categoryTitles: {
    captures: "Captures",
    en_passant: "En passant",
    castles: "Castling",
    promotions: "Promotions",
    promotions_knight: "Promotions to a knight",
    promotions_bishop: "Promotions to a bishop",
    promotions_rook: "Promotions to a rook",
    promotions_queen: "Promotions to a queen",
    checks: "Checks",
    discovered: "Discovered checks",
    direct_discovered: "Direct and discovered checks",
    double_discovered: "Double discovered checks",
    double_checks: "Double checks",
    checkmates: "Checkmates",
    discovered_mates: "Checkmates by discovered check",
    direct_discovered_mates: "Checkmates by direct and discovered check",
    double_discovered_mates: "Checkmates by double discovered check",
    stalemates: "Stalemates",
  },
  incomplete: "not counted to the end",
  soFar: "so far",
  categories: "By category",
};
