// Reading PGN into trees in Node: this package, kokopu, chess.js, and @mliebelt/pgn-parser, which does
// not check moves. They take turns; medians of processor time.
//
//     npm install --no-save kokopu@4.13.4 @mliebelt/pgn-parser@1.4.19
//     node benchmarks/trees.mjs FILE... [--bytes 100000000] [--slow-bytes 1000000]
//
// Each game is a text of its own, which is read into a tree and dropped. chess.js keeps the main line
// only. Libraries that are not installed are left out. The slow ones read the first games of a file.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";

import { Chess } from "chess.js";
import { GameTree } from "tabiya";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bytes: { type: "string", default: "100000000" },
    "slow-bytes": { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
  },
});

async function optional(name) {
  try {
    return await import(name);
  } catch {
    console.log(`${name} is not installed, so it is left out`);
    return undefined;
  }
}

const kokopu = await optional("kokopu");
const parser = await optional("@mliebelt/pgn-parser");

/** Each reader returns the number of moves of the main line, on which all must agree. */
const readers = {
  tabiya(text) {
    const tree = GameTree.fromPgn(text);
    const moves = tree.node(tree.end).ply;
    tree.free();
    return moves;
  },
  kokopu: kokopu && ((text) => {
    let moves = 0;
    for (let node = kokopu.pgnRead(text, 0).mainVariation().first(); node; node = node.next()) moves += 1;
    return moves;
  }),
  "chess.js": (text) => {
    const chess = new Chess();
    chess.loadPgn(text);
    return chess.history().length;
  },
  "pgn-parser": parser && ((text) => parser.parse(text, { startRule: "game" }).moves.length),
};
const slow = new Set(["kokopu", "chess.js", "pgn-parser"]);

function gamesOf(path, size) {
  const text = readFileSync(path, "utf8").slice(0, size);
  const games = text.split(/(?=^\[Event )/m);
  if (games.length > 1) games.pop();
  return games;
}

const seconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

console.log(`${cpus()[0].model}, Node ${process.version}`);
for (const path of positionals) {
  const all = gamesOf(path, Number(values.bytes));
  const few = gamesOf(path, Number(values["slow-bytes"]));
  const names = Object.keys(readers).filter((name) => readers[name] !== undefined);
  const times = new Map(names.map((name) => [name, []]));
  const counts = new Map();
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const name of names) {
      // The first round warms up.
      const games = slow.has(name) || round === 0 ? few : all;
      const begin = seconds();
      let moves = 0;
      for (const game of games) moves += readers[name](game);
      if (round === 0) counts.set(name, moves);
      else times.get(name).push((seconds() - begin) / games.reduce((sum, game) => sum + game.length, 0));
    }
  }
  if (new Set(counts.values()).size > 1) throw new Error(`the readers do not agree: ${JSON.stringify([...counts])}`);
  console.log(`${path}: ${all.length} games, ${counts.get("tabiya")} moves in the first ${few.length}`);
  const ours = median(times.get("tabiya"));
  for (const name of names) {
    const each = median(times.get(name));
    console.log(`  ${name.padEnd(12)} ${(1 / each / 1e6).toFixed(2).padStart(8)} MB/s, tabiya is ${(each / ours).toFixed(2)} times as fast`);
  }
}
