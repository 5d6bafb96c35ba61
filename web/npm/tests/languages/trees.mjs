// Trees of games, for scripts: writes them again, or shows what they say.
//
//     node trees.mjs write|show < games.pgn
//
// `show` prints the lines that the example `trees` of the crate `tabiya-pgn` prints.
import { readFileSync } from "node:fs";

import { GameTree } from "tabiya";

const time = (seconds) => (seconds === undefined ? "-" : String(Math.round(seconds * 1000)));
const list = (items) => items.join(",") || "-";

function score(found) {
  if (found === undefined) return "-";
  const text = found.mate === undefined ? String(Math.round(found.pawns * 100)) : `mate${found.mate}`;
  return found.depth === undefined ? text : `${text}@${found.depth}`;
}

const mark = ({ color, from, to }) => color + from + (from === to ? "" : to);

function lines(game) {
  const tags = game.tags.map(({ name, value }) => `tag ${name}=${value}`);
  const nodes = game.nodes().map((node) =>
    `${node.ply} ${node.san ?? "start"} nags=${list(node.nags)} clock=${time(node.clock)} elapsed=${time(node.elapsed)}` +
    ` eval=${score(node.eval)} marks=${list(node.marks.map(mark))} [${node.commentsBefore.join(" ")}] [${node.comments.join(" ")}]`);
  return [`game ${game.result} from ${game.node(0).fen}`, ...tags, ...nodes];
}

const task = process.argv[2];
if (!["write", "show"].includes(task)) throw new Error("usage: trees.mjs write|show");
const games = GameTree.allFromPgn(readFileSync(0, "utf8"));
const text = task === "write" ? games.map((game) => game.pgn()).join("") : games.map((game) => `${lines(game).join("\n")}\n`).join("");
process.stdout.write(text);
