// What boards need: moves as objects, the squares where pieces may be dropped, readable objects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { Chess } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { parseFen } from "chessops/fen";
import { Editor, Game, GameTree, Position, explain, standardPositions } from "tabiya";
import { Tables } from "tabiya/tables";

const CASTLING = ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "5rk1/8/8/8/8/8/8/RK3R2 w AF - 0 1", "4k3/8/8/8/8/8/8/1RK2R2 w BF - 0 1"];
const starts = [...standardPositions().map(({ fen }) => fen), "7k/P1P5/8/8/8/8/8/K7 w - - 0 1", ...CASTLING];

test("dests are those of chessops, which chessground takes", () => {
  const sorted = (dests) => [...dests].map(([from, to]) => [from, to.toSorted?.() ?? [...to].sort()]).sort();
  for (const fen of starts) {
    const position = new Position(fen);
    const theirs = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
    assert.deepEqual(sorted(position.dests()), sorted(chessgroundDests(theirs, { chess960: position.isChess960 })), fen);
    // Each of them is a move, if a promotion is given with all.
    for (const [from, targets] of position.dests()) {
      for (const to of targets) assert.ok(position.tryPlay({ from, to, promotion: "queen" }), `${fen} ${from} ${to}`);
    }
  }
});

test("a move object is the same move as its text", () => {
  for (const fen of starts) {
    const position = new Position(fen);
    for (const move of position.moves()) {
      assert.equal(position.move(move).uci, move.uci, fen);
      assert.equal(position.play({ ...move, promotion: move.promotion?.[0].replace("k", "n") }).fen, position.play(move.uci).fen);
      const game = new Game(fen);
      assert.equal(game.play(move).uci, move.uci);
      assert.equal(new Game(fen).play(game.history[0]).after, game.fen);
      assert.ok(new GameTree(fen).add(0, move) === 1 && explain(position, move).legal && position.explain(move).legal);
    }
  }
});

test("other objects are refused", () => {
  const position = new Position();
  const wrong = { name: "TypeError", message: "expected a move: text, or an object { from, to, promotion }" };
  const calls = [(move) => position.play(move), (move) => position.tryPlay(move), (move) => position.move(move), (move) => explain(position, move), (move) => new Game().play(move)];
  for (const call of calls) {
    for (const value of [undefined, null, 5, {}, { from: "e2" }, { from: "e2", to: 4 }, { from: "e2", to: "e4", promotion: 5 }]) {
      assert.throws(() => call(value), wrong, JSON.stringify(value));
    }
    if (call !== calls[1]) assert.throws(() => call({ from: "e2", to: "e9" }), { name: "InputError", input: "e9" });
  }
  assert.throws(() => position.play({ from: "e2", to: "e4", promotion: "x" }), { name: "InputError", input: "x" });
  assert.throws(() => position.play({ from: "e2", to: "e5" }), { name: "InputError", input: "e2e5" });
});

test("the console shows what an object is", () => {
  const fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const game = new Game();
  game.play("e4");
  assert.equal(inspect(new Position()), `Position ${fen}`);
  assert.equal(inspect([game]), "[ Game 1. e4 * ]");
  assert.equal(inspect(new Editor("startpos")), `Editor ${fen}`);
  assert.match(inspect(game.toTree()), /^GameTree \[Event [^]*\n1\. e4 \*/);
  const tables = new Tables();
  tables.add("KRvK.rtbw", new Uint8Array(80));
  assert.equal(inspect(tables), "Tables KRvK.rtbw");
  game.free();
  assert.equal(inspect(game), "Game (freed)");
});
