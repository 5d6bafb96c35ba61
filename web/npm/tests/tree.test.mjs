// Games as trees of variations.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, GameTree, Position } from "tabiya";

const STUDY = `[White "A"]
[Event "Study"]

{start} 1. e4 {[%clk 0:01:02.5] [%eval 0.31,20] best} e5 $1 (1... c5 {sharp [%cal Gc5d4,Rg1f3][%csl Yd4]} 2. Nf3
({or} 2. c3 $16 d5) d6) 2. Nf3 Nc6 1-0

1. d4 -- 2. c4 *
`;

test("everything of a study is read, and written again", () => {
  const [study, second] = GameTree.allFromPgn(STUDY);
  assert.deepEqual(study.tags, [{ name: "White", value: "A" }, { name: "Event", value: "Study" }]);
  assert.equal(study.tag("White"), "A");
  assert.equal(study.tag("Black"), undefined);
  assert.equal(study.result, "1-0");
  assert.deepEqual(study.problems, []);
  assert.equal(study.node(0).text, "start");
  assert.deepEqual(study.mainLine().map(({ san }) => san), ["e4", "e5", "Nf3", "Nc6"]);

  const [e4, e5] = study.mainLine();
  assert.equal(e4.clock, 62.5);
  assert.deepEqual([e4.eval.pawns, e4.eval.depth, e4.eval.mate], [0.31, 20, undefined]);
  assert.equal(e4.text, "best");
  assert.deepEqual([e5.nags, e5.signs], [[1], ["!"]]);
  const c5 = study.node(e4.children[1]);
  assert.deepEqual(c5.marks.map(({ color, from, to }) => color + from + to), ["Gc5d4", "Rg1f3", "Yd4d4"]);
  assert.equal(study.position(c5.id).fen, c5.fen);
  const c3 = study.nodes().find(({ san }) => san === "c3");
  assert.deepEqual([c3.commentsBefore, c3.signs, c3.number, c3.color], [["or"], ["±"], 2, "white"]);
  assert.deepEqual(study.history(c3.id).map(({ uci }) => uci), ["e2e4", "c7c5", "c2c3"]);

  assert.deepEqual(second.mainLine().map(({ san }) => san), ["d4", "--", "c4"]);
  for (const game of [study, second]) {
    const again = GameTree.fromPgn(game.pgn());
    assert.deepEqual(again.nodes(), game.nodes());
    assert.equal(again.pgn(), game.pgn());
  }
  const plain = study.pgn({ comments: false, nags: false, variations: false, width: 200 });
  assert.ok(plain.endsWith("\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"), plain);
});

test("evaluations and times of tournament programs are read", () => {
  const [e4, e5] = GameTree.fromPgn("1. e4 {+0.32/13 0.02s} e5 {-M4/20 1.2s, White mates} *").mainLine();
  assert.deepEqual([e4.eval.pawns, e4.eval.depth, e4.elapsed], [0.32, 13, 0.02]);
  assert.deepEqual([e5.eval.mate, e5.eval.depth, e5.elapsed], [2, 20, 1.2]);
});

test("a game is built and changed", () => {
  const game = new GameTree();
  const e4 = game.add(0, "e2e4");
  const e5 = game.add(e4, "e5");
  const c5 = game.add(e4, "c7-c5");
  assert.equal(game.add(e4, "e5"), e5);
  assert.deepEqual(game.node(e4).children, [e5, c5]);
  game.promote(c5);
  game.setComment(c5, "sharp");
  game.setCommentBefore(e5, "or");
  game.setClock(c5, 61.1);
  game.setCommand(c5, "eval", "0.25");
  game.addNag(c5, 5);
  game.setTag("White", "Me");
  game.setResult("1/2-1/2");
  const moves = (text) => text.split("\n\n")[1].replaceAll("\n", " ");
  assert.equal(
    moves(game.pgn()),
    "1. e4 c5 $5 {sharp [%clk 0:01:01.1] [%eval 0.25]} ({or} 1... e5) 1/2-1/2",
  );
  game.makeMainLine(e5);
  game.removeNag(c5, 5);
  game.setClock(c5);
  game.setComment(c5, "");
  assert.equal(moves(game.pgn()), "1. e4 {or} 1... e5 (1... c5) 1/2-1/2");
  assert.deepEqual([...game.find(new Position().play("e4").play("c5"))], [c5]);
  game.delete(c5);
  assert.equal(game.size, 3);

  const other = GameTree.fromPgn("1. e4 e6 2. d4 *");
  game.merge(other);
  assert.equal(moves(game.pgn()), "1. e4 {or} 1... e5 (1... e6 2. d4) 1/2-1/2");
  assert.equal(game.node(game.end).san, "e5");
});

test("mistakes are errors, and broken games keep what is right", () => {
  const game = new GameTree("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  assert.throws(() => game.add(0, "e5"), { name: "InputError" });
  assert.throws(() => game.add(7, "e4"), { name: "InputError", message: /no such node/ });
  assert.throws(() => game.setTag("FEN", "x"), { name: "InputError" });
  assert.throws(() => game.setTag("two words", "x"), { name: "InputError" });
  assert.throws(() => game.setResult("2-0"), { name: "InputError" });
  assert.throws(() => game.setClock(0, -1), TypeError);
  assert.throws(() => game.pgn({ colour: true }), TypeError);
  assert.throws(() => GameTree.fromPgn("  "), { name: "InputError" });
  assert.throws(() => game.merge(new GameTree()), { name: "InputError" });
  assert.equal(game.size, 1);

  const broken = GameTree.fromPgn("1. e4 e5 (1... Ke7) 2. Nf3 Ke3 3. d4 1-0");
  assert.deepEqual(broken.mainLine().map(({ san }) => san), ["e4", "e5", "Nf3"]);
  assert.equal(broken.result, "1-0");
  const [variation, main] = broken.problems;
  assert.deepEqual([variation.line, variation.column, main.column], [1, 16, 28]);
  assert.match(main.message, /Ke3 is not legal/);
});

test("games with errors are kept, skipped, or thrown", () => {
  const pgn = "1. e4 *\n\n1. d4 {é} Ke7 *\n\n1. c4 *";
  const ends = (options) => GameTree.allFromPgn(pgn, options).map((game) => game.node(game.end).san);
  assert.deepEqual(ends(), ["e4", "d4", "c4"]);
  assert.deepEqual(ends({ errors: "keep" }), ["e4", "d4", "c4"]);
  assert.deepEqual(ends({ errors: "skip" }), ["e4", "c4"]);
  assert.throws(() => ends({ errors: "stop" }), (error) =>
    error.name === "InputError" && error.input.slice(error.start, error.end) === "Ke7" && /Ke7 is not legal/.test(error.message));
  assert.throws(() => ends({ errors: "mask" }), TypeError);
  assert.throws(() => ends({ error: "skip" }), { name: "TypeError", message: /no option error/ });
  assert.equal(Game.allFromPgn(pgn, { errors: "skip" }).length, 2);
});

test("words without a meaning cost no move", () => {
  const game = GameTree.fromPgn("1. e4 good [Diagram] e5 with chances 2. -- Nc6 ½–½");
  assert.deepEqual(game.mainLine().map(({ san }) => san), ["e4", "e5", "--", "Nc6"]);
  assert.deepEqual(game.remarks.map(({ kind, count }) => `${count} ${kind}`), ["3 word", "1 bracket"]);
  assert.deepEqual([game.result, game.problems], ["1/2-1/2", []]);
  assert.equal(GameTree.fromPgn('[Result "0-0"]\n\n1. e4 0-0').result, "0-0");
});

test("the moves may have the letters of another language", () => {
  const game = Game.fromPgn("1. e4 Кf6 2. Крe2 *", { letters: "КрФЛСК" });
  assert.equal(game.movetext, "1. e4 Nf6 2. Ke2 *");
  assert.throws(() => GameTree.fromPgn("1. Sf3", { letters: "KDT" }), { name: "InputError", input: "KDT" });
});

test("Chess960 is written as such", () => {
  const game = new GameTree("chess960:0");
  assert.equal(game.tag("Variant"), "Chess960");
  assert.deepEqual(GameTree.fromPgn(game.pgn()).node(0).fen, game.node(0).fen);
});
