// Games as objects: a line of play, with the variations beside it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Chess } from "chess.js";

import { Game, GameTree, Position } from "tabiya";

const STUDY = `[Event "Study"]
[White "A"]

{start} 1. e4 {[%clk 0:01:02] best} e5 $1 (1... c5 {sharp} 2. Nf3 d6) 2. Nf3 Nc6 (2... -- 3. Nxe5) 3. Bb5 1-0

1. d4 d5 *
`;

const sans = (game) => game.history.map(({ san }) => san);

test("a game is loaded with everything in it, changed, and written", () => {
  const [game, second] = Game.allFromPgn(STUDY);
  assert.deepEqual(sans(game), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
  assert.deepEqual([game.tag("White"), game.tag("Black"), game.result], ["A", undefined, "1-0"]);
  assert.deepEqual(game.tags.map(({ name }) => name), ["Event", "White"]);
  assert.deepEqual(game.problems, []);
  assert.equal(second.movetext, "1. d4 d5 *");
  // It is the tree's game.
  const tree = GameTree.fromPgn(STUDY);
  assert.equal(game.pgn(), tree.pgn());
  assert.deepEqual(game.nodes(), tree.nodes());
  assert.deepEqual(game.toTree().nodes(), tree.nodes());
  assert.equal(tree.game().fen, game.fen);

  game.goTo(0);
  assert.deepEqual([game.comment, game.history, game.back()], ["start", [], false]);
  assert.equal(game.forward(), true);
  assert.deepEqual([game.comment, game.node.clock], ["best", 62]);
  assert.deepEqual(game.variations.map(({ san, signs }) => [san, signs]), [["e5", ["!"]], ["c5", []]]);
  assert.equal(game.forward(5), false);
  assert.equal(game.forward(1), true);
  assert.equal(game.comment, "sharp");
  game.setComment("very sharp");
  game.setClock(61);
  game.setCommand("eval", "0.4");
  game.addNag(5);
  game.addNag(3);
  game.removeNag(3);
  // Another move than the one that is there becomes a variation.
  game.play("Nc3");
  game.play("Nc6");
  assert.equal(game.movetext, "1. e4 c5 2. Nc3 Nc6 1-0");
  game.setTag("Black", "B");
  assert.equal(game.removeTag("White"), true);
  game.setResult("*");
  const text = game.pgn({ width: 300 });
  assert.match(text, /\(1\.\.\. c5 \$5 \{very sharp \[%clk 0:01:01\] \[%eval 0\.4\]\} 2\. Nf3 \(2\. Nc3 Nc6\) 2\.\.\. d6\)/);
  assert.match(text, /\[Black "B"\]/);
  assert.match(text, /\[White "\?"\]/);
  assert.equal(Game.fromPgn(text).pgn({ width: 300 }), text);
  // A game from a node of a tree begins there, with all variations.
  const c5 = tree.nodes().find(({ san }) => san === "c5");
  assert.deepEqual(sans(tree.game(c5.id)), ["e4", "c5"]);
  assert.throws(() => tree.game(99), { name: "InputError" });
});

test("undo deletes, going back does not", () => {
  const game = Game.fromPgn("1. e4 e5 (1... c5) 2. Nf3 *");
  game.back();
  game.forward();
  assert.equal(game.movetext, "1. e4 e5 2. Nf3 *");
  assert.deepEqual([game.undo().san, game.undo().san], ["Nf3", "e5"]);
  assert.equal(game.pgn().split("\n\n")[1], "1. e4 c5 *");
  game.undo();
  assert.equal(game.undo(), undefined);
  assert.deepEqual([game.fen, game.nodes().length], [new Position().fen, 1]);
});

test("null moves, and a game that ends by the rules", () => {
  const game = new Game();
  for (const move of ["f3", "--", "a3", "e5", "g4", "Qh4"]) game.play(move);
  assert.deepEqual(sans(game), ["f3", "--", "a3", "e5", "g4", "Qh4#"]);
  const { from, to, uci, flags, role } = game.history[1];
  assert.deepEqual([from, to, uci, flags, role], ["e8", "e8", "0000", "-", "king"]);
  assert.equal(game.result, "0-1");
  assert.match(game.pgn(), /\[Result "0-1"\]\n\n1\. f3 -- 2\. a3 e5 3\. g4 Qh4# 0-1/);
  assert.throws(() => game.play("--"), { name: "InputError", message: /in check/ });
  while (game.undo()) { /* to the start */ }
  assert.equal(game.fen, new Position().fen);
});

test("the history has what that of chess.js has", () => {
  const roles = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  // Castling on both sides, captures, en passant, promotions.
  const moves = [
    "e4 a6 e5 d5 exd6 b5 dxc7 Bb7 cxd8=Q+ Kxd8 Nf3 b4 Be2 b3 O-O bxa2 d3 axb1=N Bd2 Nd7",
    "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O e4 dxe4 d5 Nb4",
  ];
  for (const line of moves) {
    const [ours, theirs] = [new Game(), new Chess()];
    for (const move of line.split(" ")) {
      ours.play(move);
      theirs.move(move);
    }
    const history = theirs.history({ verbose: true });
    assert.equal(ours.history.length, history.length);
    for (const [index, move] of ours.history.entries()) {
      const other = history[index];
      assert.deepEqual(
        [move.san, move.uci, move.from, move.to, move.color[0], move.role, move.captured, move.promotion],
        [other.san, other.lan, other.from, other.to, other.color, roles[other.piece], roles[other.captured], roles[other.promotion]],
      );
      // The same letters, in an order of their own.
      assert.deepEqual([...move.flags].filter((letter) => letter !== "n").sort(), [...other.flags].filter((letter) => letter !== "n").sort());
      assert.deepEqual([move.before, move.after], [other.before, other.after]);
    }
    while (theirs.undo()) assert.ok(ours.undo() && ours.fen === theirs.fen());
    assert.equal(ours.undo(), undefined);
  }
});
