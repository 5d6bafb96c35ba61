// A count as text and as JSON.

import { questionFen } from "../counting.ts";

import { words } from "../texts/perft.ts";
import { byMove, type Count } from "./count.ts";

/** The divide in the format of the command `tabiya perft --divide`. */
export function asText(count: Count): string {
  const moves = count.moves.sort(byMove);
  const wide = (values: readonly string[], title: string) => Math.max(title.length, ...values.map((it) => it.length));
  const counts = moves.map((move) => move.nodes.toLocaleString("en"));
  const [left, right] = [wide(moves.map((move) => move.uci), "move"), wide(counts, "nodes")];
  const lines = moves.map((move, index) => {
    const end = move.isComplete ? "" : `  ${words.soFar}`;
    return `${move.uci.padEnd(left)}  ${counts[index]!.padStart(right)}${end}`;
  });
  const total = [
    ["depth", String(count.question.depth)],
    ["nodes", count.nodes.toLocaleString("en")],
    ["time", `${count.seconds.toFixed(3)} s`],
    ["nodes/s", Math.round(count.rate).toLocaleString("en")],
  ].map(([title, value]) => {
    const width = Math.max(title!.length, value!.length);
    return [title!.padStart(width), value!.padStart(width)] as const;
  });
  return [
    `${"move".padEnd(left)}  ${"nodes".padStart(right)}`,
    ...lines,
    "",
    total.map(([title]) => title).join("  "),
    total.map(([, value]) => value).join("  "),
    "",
  ].join("\n");
}

/** The divide as JSON. Counts are texts, because they may exceed JavaScript's numbers. */
export function asJson(count: Count): string {
  const { question } = count;
  return JSON.stringify(
    {
      fen: questionFen(question.start, question.moves),
      depth: question.depth,
      nodes: String(count.nodes),
      complete: count.state === "complete",
      seconds: count.seconds,
      workers: count.options.workers,
      divide: count.moves.sort(byMove).map(({ uci, san, nodes, isComplete }) => ({
        move: uci,
        san,
        nodes: String(nodes),
        complete: isComplete,
      })),
      ...(count.options.byCategory ? { categories: count.categories.map(String) } : {}),
    },
    null,
    2,
  );
}
