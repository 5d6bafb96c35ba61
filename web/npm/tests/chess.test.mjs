// What the differential of `tabiya/chess.js` can't show, because chess.js has nothing like it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { Position } from "tabiya";
import { Chess, validateFen } from "tabiya/chess.js";
import { Chess as Sync } from "tabiya/chess.js/sync";
import { perft } from "tabiya/perft";
import { Position as SyncPosition } from "tabiya/sync";

/** A number below a limit, the same ones at each run. */
let state = 960;
const random = (limit) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return (state >> 8) % limit;
};

test("games of Chess960 have the moves of positions", () => {
  let castlings = 0;
  for (let game = 0; game < 60; game += 1) {
    let position = Position.chess960(random(960), random(960));
    const chess = new Chess(position.fen, { chess960: true });
    for (let ply = 0; ply < 80; ply += 1) {
      assert.equal(chess.fen(), position.fen);
      assert.equal(chess.hash(), position.key.toString(16));
      const expected = new Map(position.moves().map(({ uci, san }) => [uci, san]));
      const moves = chess.moves({ verbose: true });
      assert.deepEqual(new Map(moves.map(({ lan, san }) => [lan, san])), expected);
      if (moves.length === 0) break;
      const castling = moves.find((move) => move.isKingsideCastle() || move.isQueensideCastle());
      const move = castling ?? moves[random(moves.length)];
      castlings += castling ? 1 : 0;
      const form = [move.san, move.lan, { from: move.from, to: move.to, promotion: move.promotion }][random(3)];
      assert.deepEqual(chess.move(form), move);
      position = position.play(move.lan);
      assert.equal(move.after, position.fen);
    }
    const pgn = chess.pgn();
    assert.match(pgn, /\[Variant "Chess960"\]/);
    const read = new Chess();
    read.loadPgn(pgn);
    assert.deepEqual(read.history(), chess.history());
    assert.equal(read.fen(), chess.fen());
  }
  assert.ok(castlings > 40, `${castlings}`);
});

test("kings castle by their target if nothing else goes there", () => {
  // The king of f1 can step to g1, so only its rook's square means castling.
  const chess = new Chess("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", { chess960: true });
  assert.equal(chess.move({ from: "f1", to: "g1" }).san, "Kg1");
  chess.undo();
  assert.equal(chess.move({ from: "f1", to: "h1" }).san, "O-O");
  chess.undo();
  assert.equal(chess.move({ from: "f1", to: "c1" }).san, "O-O-O");
  chess.undo();
  assert.equal(chess.move("f1c1").after, "4k3/8/8/8/8/8/8/2KR3R b - - 1 1");
  // The king stays where it is.
  const still = new Chess("4k3/8/8/8/8/8/8/6KR w H - 0 1", { chess960: true });
  assert.equal(still.move("g1h1").after, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
});

test("rights of Chess960 are given and taken", () => {
  const chess = new Chess("4k3/8/8/8/8/8/8/1R2K1R1 w - - 0 1", { chess960: true });
  assert.equal(chess.setCastlingRights("w", { k: true, q: true }), true);
  assert.deepEqual([chess.fen().split(" ")[2], chess.getCastlingRights("w")], ["KQ", { k: true, q: true }]);
  assert.equal(perft(chess.fen(), 1), BigInt(chess.moves().length));
  chess.remove("g1");
  assert.deepEqual(chess.getCastlingRights("w"), { k: false, q: true });
  assert.equal(chess.setCastlingRights("b", { k: true }), false);
  // Without the option these are no rights at all.
  const standard = new Chess("4k3/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
  assert.equal(standard.setCastlingRights("w", { k: true }), false);
  assert.equal(validateFen("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1").ok, false);
  assert.equal(validateFen("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", { chess960: true }).ok, true);
  assert.throws(() => new Chess("4k3/8/8/8/8/8/8/4K3 w A - 0 1", { chess960: true }), /has no king and rook/);
  // `reset` keeps the option, and the usual start is written as one of Chess960.
  chess.reset();
  assert.equal(chess.fen().split(" ")[2], "HAha");
});

test("a game can be copied and wrapped", () => {
  const chess = new Chess();
  chess.move("e4");
  const copy = Object.assign(Object.create(Chess.prototype), structuredClone({ ...chess }));
  copy.move("e5");
  assert.deepEqual([copy.pgn().split("\n\n")[1], chess.history().join(" ")], ["1. e4 e5 *", "e4"]);
  const wrapped = new Proxy(chess, {});
  assert.equal(wrapped.move("c5").san, "c5");
  assert.equal(wrapped.isGameOver(), false);
});

test("objects that a program changes don't change the game", () => {
  const chess = new Chess();
  chess.move("e4").after = "nonsense";
  chess.history({ verbose: true })[0].before = "nonsense";
  chess.move("e5");
  assert.equal(chess.undo().san, "e5");
  assert.equal(chess.undo().after, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  assert.equal(chess.fen(), new Chess().fen());
});

test("a script without modules packs the synchronous form, and the file of the module isn't needed", async () => {
  assert.equal(new Sync().perft(3), 8902);
  assert.equal(new SyncPosition().play("e4").turn, "black");
  const contents = 'import { Chess } from "tabiya/chess.js/sync"; globalThis.found = new Chess().move("Nf3").lan;';
  const resolveDir = fileURLToPath(new URL("..", import.meta.url));
  for (const format of ["iife", "cjs"]) {
    const { outputFiles, warnings } = await build({ stdin: { contents, resolveDir }, bundle: true, format, write: false, logLevel: "silent" });
    assert.deepEqual(warnings, []);
    const context = { atob, TextDecoder, TextEncoder, WebAssembly, URL, module: {} };
    runInNewContext(outputFiles[0].text, context);
    assert.equal(context.found, "g1f3", format);
  }
  assert.doesNotMatch(readFileSync(new URL("../pkg/sync/load-chess.js", import.meta.url), "utf8"), /\bawait\b/);
});
