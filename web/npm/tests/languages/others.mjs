// What other libraries read of a file of games, and what this package reads, in the same lines: a
// test compares them.
//
//     node others.mjs tabiya|kokopu FOLDER < games.pgn
//
// FOLDER has the package of the other library. A line is a node: its ply, move, glyphs and text. A
// game that kokopu cannot read is the line `error`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { GameTree } from "tabiya";

const [library, folder] = process.argv.slice(2);
const text = readFileSync(0, "utf8");

/** Text in which white space and commands do not matter. */
const plain = (comment) => (comment ?? "").replaceAll(/\[%[^\]]*\]/g, " ").split(/\s+/).filter((word) => word !== "").join(" ");
const line = (ply, san, nags, comment) => `${ply} ${san} ${[...nags].sort((a, b) => a - b).join(",")} [${plain(comment)}]`;

/** A list of lines for each game. */
const readers = {
  tabiya: () => GameTree.allFromPgn(text).map((game) => [
    `game ${game.result}`,
    ...game.nodes().map(({ ply, san, nags, comments, commentsBefore }) =>
      line(ply, san ?? "start", nags, [...commentsBefore, ...comments].join(" "))),
  ]),
  kokopu: () => {
    const { pgnRead } = createRequire(join(folder, "package.json"))("kokopu");
    const results = new Map([["1-0", "1-0"], ["0-1", "0-1"], ["1/2-1/2", "1/2-1/2"]]);
    const show = (game) => {
      const lines = [`game ${results.get(game.result()) ?? "*"}`];
      /** The nodes of a line; variations come after the move that they replace, with all that follows it. */
      const walk = (node, ply, before) => {
        if (node === undefined) return;
        lines.push(line(ply, node.notation(), node.nags(), [before, node.comment()].join(" ")));
        walk(node.next(), ply + 1, "");
        for (const variation of node.variations()) walk(variation.first(), ply, variation.comment());
      };
      const main = game.mainVariation();
      lines.push(line(0, "start", main.nags(), main.comment()));
      walk(main.first(), 1, "");
      return lines;
    };
    const database = pgnRead(text);
    return Array.from({ length: database.gameCount() }, (_, index) => {
      try {
        return show(database.game(index));
      } catch {
        return ["error"];
      }
    });
  },
};

process.stdout.write(JSON.stringify(readers[library]()));
