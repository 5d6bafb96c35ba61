// The table of files and their games that the tests of all languages read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { GameTree } from "tabiya";

const TABLE = new URL("../../../crates/pgn/tests/languages/cases.txt", import.meta.url);
const START = new GameTree().node(0).fen;

/** The text for one with `\n`, `\r` and `\xNN`, which may be in Latin-1. */
function decoded(text) {
  const bytes = (part) => {
    const escape = { "\\n": "0a", "\\r": "0d" }[part] ?? (part.startsWith("\\x") && part.slice(2));
    return escape ? Buffer.from(escape, "hex") : Buffer.from(part);
  };
  const data = Buffer.concat(text.split(/(\\n|\\r|\\x..)/).map(bytes));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return data.toString("latin1");
  }
}

/** Seconds as `1:02:03.5`. */
function clock(seconds) {
  const [whole, fraction] = String(seconds).split(".");
  const two = (number) => String(number % 60).padStart(2, "0");
  const text = `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60))}:${two(whole)}`;
  return fraction ? `${text}.${fraction}` : text;
}

/** A game as the table shows it, without its tags and the kinds of its errors. */
function shown(game) {
  // With a tag Result, 0-0 isn't castling.
  let [, text] = game.pgn({ width: 2 ** 31 }).split(/\n\n([^]*)/);
  for (const { message } of game.problems) {
    text = text.replace(`{${message}; not read:`, "{!").replace(`{${message}}`, "{!}");
  }
  const parts = [text.trim().replaceAll("\n", "\\n")];
  // In Chess960 the files of the rooks are written.
  const fen = game.node(0).fen.replace("HAha", "KQkq");
  if (fen !== START) parts.push(`@ ${fen}`);
  for (const { line, column } of game.problems) parts.push(`! ${line}:${column}`);
  for (const { kind, count } of game.remarks) parts.push(`~ ${count} ${kind}`);
  game.mainLine().forEach((node, index) => {
    const facts = [];
    if (node.clock !== undefined) facts.push(`clk=${clock(node.clock)}`);
    if (node.elapsed !== undefined) facts.push(`emt=${clock(node.elapsed)}`);
    if (node.eval) {
      const { mate, pawns, depth } = node.eval;
      const score = mate === undefined ? pawns.toFixed(2) : `#${mate}`;
      facts.push(`eval=${score}${depth === undefined ? "" : `,${depth}`}`);
    }
    if (facts.length > 0) parts.push(`% ${index + 1} ${facts.join(" ")}`);
  });
  return parts.join(" ");
}

test("every file has the games of the table", () => {
  const cases = readFileSync(TABLE, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  assert.ok(cases.length > 200);
  for (const line of cases) {
    const [text, expected] = line.split(" => ");
    const games = GameTree.allFromPgn(decoded(text));
    const found = [];
    const wanted = expected.split(" || ").map((game, index) => {
      const movetext = game.replace(/^(\[\w+ ".*?"\] )*/, "");
      for (const [, name, value] of game.slice(0, -movetext.length).matchAll(/\[(\w+) "(.*?)"\] /g)) {
        assert.equal(games[index].tag(name), value, line);
      }
      return movetext.replace(/( ! \d+:\d+) \w+/g, "$1").replace(/0:0(?= |$)/, "0-0");
    });
    for (const game of games) found.push(shown(game));
    assert.deepEqual(found, wanted, line);
  }
});
