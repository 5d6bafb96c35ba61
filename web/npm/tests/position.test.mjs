import assert from "node:assert/strict";
import test from "node:test";

import { Editor, Game, Position, explain, standardPositions } from "tabiya";
import { layer, svg } from "tabiya/layers";
import { categories, divide, perft } from "tabiya/perft";

/** Known numbers of leaf nodes of the standard positions, at depths that are counted quickly. */
const known = {
  startpos: [5, 4_865_609n],
  kiwipete: [4, 4_085_603n],
  cpw3: [6, 11_030_083n],
  cpw4: [5, 15_833_292n],
  cpw5: [4, 2_103_487n],
  cpw6: [4, 3_894_594n],
};

test("perft of the standard positions", () => {
  const positions = standardPositions();
  assert.equal(positions.length, 6);
  for (const { name, fen } of positions) {
    const [depth, nodes] = known[name];
    assert.equal(perft(fen, depth), nodes, name);
    const position = new Position(name);
    assert.equal(perft(position, depth), nodes, name);
    const divided = divide(position, depth - 1);
    assert.equal(divided.reduce((sum, { nodes }) => sum + nodes, 0n), perft(position, depth - 1));
    assert.deepEqual(divided.map(({ uci }) => uci), position.moves().map(({ uci }) => uci));
  }
});

test("the categories of leaf nodes", () => {
  const found = categories("kiwipete", 3);
  const nodes = Object.fromEntries(found.map(({ key, nodes }) => [key, nodes]));
  assert.equal(nodes.captures, 17_102n);
  assert.equal(nodes.en_passant, 45n);
  assert.equal(nodes.castles, 3162n);
  assert.equal(nodes.checkmates, 1n);
});

test("every notation of a move is read back", () => {
  for (const { fen } of standardPositions()) {
    const position = new Position(fen);
    for (const { uci, san, from, to } of position.moves()) {
      assert.equal(position.move(san).uci, uci);
      assert.equal(position.move(uci).san, san);
      assert.equal(position.move(uci).from + position.move(uci).to, from + to);
      assert.ok(position.play(san).equals(position.tryPlay(uci)));
      assert.equal(position.explain(san).legal, true);
    }
    assert.equal(position.countMoves(), position.moves().length);
    assert.equal(position.fen, fen, "playing changes nothing");
  }
});

test("the properties of a position", () => {
  const start = new Position();
  assert.equal(start.turn, "white");
  assert.equal(start.isChess960, false);
  assert.equal(start.pieces.length, 32);
  assert.deepEqual(start.pieceAt("d8"), { color: "black", role: "queen" });
  assert.equal(start.pieceAt("e4"), undefined);
  assert.equal(layer(start, "pawns"), 0x00ff00000000ff00n);
  assert.equal(layer(start, "attacks:b1"), 0x0000000000050800n);
  assert.equal(typeof start.key, "bigint");
  assert.equal(start.key, new Position(start.fen).key);
  assert.equal(`${start}`, start.fen);
  assert.equal(JSON.stringify({ start }), JSON.stringify({ start: start.fen }));
  assert.equal(start.mirrored().turn, "black");
  assert.equal(start.halfmoveClock, 0);
  assert.equal(start.fullmoveNumber, 1);
  assert.match(start.ascii(), /8 +r +n +b +q +k +b +n +r/);
  assert.deepEqual(start.moves("captures"), []);
  assert.equal(start.moves("quiets").length, 20);
});

test("a board without kings, or with several, has moves", () => {
  const editor = new Editor("8/8/8/8/8/8/8/8 w - - 0 1");
  assert.deepEqual(editor.moves(), []);
  editor.place("b7", "white", "pawn");
  editor.place("a8", "black", "king");
  const promotions = editor.moves().map(({ uci, promotion }) => `${uci} ${promotion}`);
  assert.equal(promotions.length, 8);
  assert.ok(promotions.includes("b7a8n knight") && promotions.includes("b7b8q queen"));
  assert.throws(() => new Position(editor.fen), { name: "InputError", message: "White has no king" });
  // A king that would be in check is the only one that limits the moves.
  editor.place("a1", "white", "king");
  editor.place("b3", "black", "rook");
  assert.equal(editor.moves().length, 8 + 1);
  assert.equal(editor.pseudoLegalMoves().length, 8 + 3);
  editor.place("h1", "white", "king");
  const several = { name: "InputError", message: "White has 2 kings", input: editor.fen };
  assert.throws(() => editor.moves(), several);
  assert.equal(editor.pseudoLegalMoves().length, 8 + 6);
  // A board that can be played has the moves of its position.
  const uci = (moves) => moves.map(({ uci }) => uci).sort();
  assert.deepEqual(uci(new Editor("kiwipete").moves()), uci(new Position("kiwipete").moves()));
});

test("the end of a game", () => {
  const mate = new Position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
  assert.ok(mate.isCheckmate && mate.isCheck && !mate.isStalemate);
  assert.deepEqual(mate.outcome, { result: "1-0", reason: "checkmate" });
  assert.ok(new Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").isStalemate);
  assert.equal(new Position().outcome, undefined);
});

test("the reasons why a move is not legal", () => {
  const pinned = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1";
  const answer = explain(pinned, "Bd3");
  assert.equal(answer.legal, false);
  assert.equal(answer.reasons[0].name, "pinned");
  assert.equal(answer.reasons[0].line, 0x1010101010101010n);
  const position = new Position(pinned);
  assert.deepEqual(position.explain("Bd3"), answer);
  assert.deepEqual(position.explain("12.Bd3+-"), answer);
  assert.throws(() => position.play("Bd3"), { name: "InputError", message: answer.sentence });
  assert.equal(position.tryPlay("Bd3"), undefined);
});

test("Chess960", () => {
  const usual = Position.chess960(518);
  assert.ok(usual.isChess960);
  assert.equal(usual.fen.split(" ")[0], new Position().fen.split(" ")[0]);
  assert.equal(new Position("chess960:0,959").fen, Position.chess960(0, 959).fen);
  const castling = new Position("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1").moves();
  assert.deepEqual(
    castling.filter(({ rook }) => rook).map(({ uci, san, rook }) => [uci, san, rook]).sort(),
    [["e1b1", "O-O-O", "b1"], ["e1g1", "O-O", "g1"]],
  );
  assert.throws(() => Position.chess960(960), { name: "InputError" });
});

test("pictures", () => {
  const picture = svg("startpos", {
    layers: ["attacks:white"], arrows: ["e2e4:red"], lastMove: "e7e5", flipped: true, title: "A <b>",
  });
  assert.ok(picture.startsWith("<svg ") && picture.includes("A &lt;b&gt;"), picture.slice(0, 300));
  assert.ok(svg("startpos").includes(new Position().fen));
  const small = svg("startpos", { coordinates: "inside", size: 196 });
  assert.match(small, /width="196" height="196" viewBox="0 0 392 392"/);
  assert.throws(() => svg("startpos", { size: 0 }), { name: "TypeError" });
  assert.throws(() => svg("startpos", { coordinates: "x" }), { name: "InputError" });
  assert.throws(() => svg("startpos", { layers: ["nothing"] }), { name: "InputError" });
  assert.throws(() => svg("startpos", { layers: 5 }), { name: "TypeError" });
});

test("a game with repetition and claims", () => {
  const game = new Game();
  const shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
  for (const san of [...shuffle, ...shuffle]) {
    assert.equal(game.claim, undefined);
    game.play(san);
  }
  assert.equal(game.occurrences, 3);
  assert.deepEqual(game.claim, { result: "1/2-1/2", reason: "threefold repetition" });
  assert.equal(game.outcome, undefined);
  assert.equal(game.undo().san, "Ng8");
  assert.equal(game.claim, undefined);
  assert.equal(game.claimBy("Ng8").reason, "threefold repetition");
  for (const san of ["Ng8", ...shuffle, ...shuffle]) game.play(san);
  assert.equal(game.outcome.reason, "fivefold repetition");
  while (game.undo()) { /* to the start */ }
  assert.deepEqual([game.fen, game.history], [new Position().fen, []]);
});

test("a game in PGN", () => {
  const game = new Game();
  for (const text of ["f3", "e7e5", "g4", "Qh4#"]) game.play(text);
  assert.equal(game.movetext, "1. f3 e5 2. g4 Qh4# 0-1");
  assert.deepEqual(game.history.map(({ uci }) => uci), ["f2f3", "e7e5", "g2g4", "d8h4"]);
  assert.ok(game.position.isCheckmate && game.start.equals(new Position()));
  assert.throws(() => game.play("e4"), { name: "InputError" });
  assert.equal(game.history.length, 4);
  const late = Game.from(new Position("4k3/4p3/8/8/8/8/8/4K3 b - - 0 7"));
  late.play("e5");
  assert.equal(`${late}`, "7... e5 *");
  const old = new Game("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
  assert.equal(old.claimBy("Ra2").reason, "fifty-move rule");
});
