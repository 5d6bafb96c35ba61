// The names of openings, compared with a plain walk through the data of the crate.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Game, GameTree, Position } from "tabiya";
import { openingAt, openingOf, openings } from "tabiya/openings";

const data = new URL("../../../crates/openings/data/", import.meta.url);
const rows = [..."abcde"].flatMap((volume) =>
  readFileSync(new URL(`${volume}.tsv`, data), "utf8").trimEnd().split("\n").slice(1).map((line) => {
    const [eco, name, pgn] = line.split("\t");
    return { eco, name, moves: pgn.split(" ").filter((word) => !word.endsWith(".")) };
  }),
);

/** What makes positions equal, as text: a FEN without its counters. */
const identity = (fen) => fen.split(" ").slice(0, 4).join(" ");
const named = new Map();
for (const { eco, name, moves } of rows) {
  const fen = moves.reduce((position, san) => position.play(san), new Position()).fen;
  named.set(identity(fen), { eco, name });
}

test("the table is the data", () => {
  assert.ok(rows.length > 3500 && named.size === rows.length);
  assert.deepEqual(openings(), rows.map(({ eco, name }) => ({ eco, name })));
});

test("every position on the way has the name of a plain walk", () => {
  let found = 0;
  for (const { moves } of rows.filter((_, index) => index % 5 === 0)) {
    let position = new Position();
    for (const san of moves) {
      position = position.play(san);
      const opening = openingAt(position);
      assert.deepEqual(opening, named.get(identity(position.fen)), position.fen);
      if (opening !== undefined) found += 1;
    }
  }
  assert.ok(found > 2000, `${found}`);
});

test("a line has the name of its last named position", () => {
  for (const { moves } of rows.filter((_, index) => index % 40 === 0)) {
    const game = new Game();
    for (const san of [...moves, "h4", "h5", "Rh2", "a5"]) {
      try {
        game.play(san);
      } catch {
        continue; // Not legal in this opening.
      }
      const fens = [game.start.fen, ...game.history.map(({ after }) => after)].reverse();
      const expected = fens.map((fen) => named.get(identity(fen))).find((name) => name !== undefined);
      assert.deepEqual(openingOf(game), expected);
      assert.deepEqual(openingOf(game.toTree()), expected);
    }
  }
});

test("variations have names of their own, by any order of moves", () => {
  const tree = GameTree.fromPgn("1. e4 c5 (1... e5 2. f4) 2. c3 *");
  const [e4] = tree.mainLine();
  const [e5] = [tree.node(e4.children[1])];
  assert.equal(openingOf(tree).name, "Sicilian Defense: Alapin Variation");
  assert.equal(openingOf(tree, e5.children[0]).name, "King's Gambit");
  assert.equal(openingOf(tree, 0), undefined);
  const [one, other] = ["d4 Nf6 c4 g6 Nc3 d5", "c4 Nf6 Nc3 g6 d4 d5"].map((line) =>
    line.split(" ").reduce((position, san) => position.play(san), new Position()));
  assert.equal(openingAt(one), openingAt(other));
  assert.equal(openingAt(new Position("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")), undefined);
});

test("positions are packed and unpacked", () => {
  for (const position of [new Position(), new Position("kiwipete"), Position.chess960(0)]) {
    const { packed } = position;
    assert.equal(packed.length, 32);
    assert.equal(Position.fromPacked(packed).fen, position.fen);
    assert.equal(Position.fromPacked(packed).isChess960, position.isChess960);
  }
  assert.throws(() => Position.fromPacked(new Uint8Array(31)), { name: "InputError", message: /32 bytes, not 31/ });
  assert.throws(() => Position.fromPacked(new Uint8Array(32).fill(255)), { name: "InputError" });
});
