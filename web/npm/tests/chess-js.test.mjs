// The table for users of chess.js names each of its methods, and says how to do the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { Chess } from "chess.js";

import { Game, GameTree, Position, squareColor } from "tabiya";
import { layer } from "tabiya/layers";

const require = createRequire(import.meta.url);
const types = join(dirname(require.resolve("chess.js")), "../types/chess.d.ts");
const declared = readFileSync(types, "utf8");
const page = readFileSync(new URL("../chess-js.md", import.meta.url), "utf8");
const section = page.slice(page.indexOf("## Beyond"));
const rows = section.split("\n").filter((line) => /^\| `/.test(line)).map((line) => line.split(/(?<=[^|]) \| /));

test("every method and function of chess.js has a row", () => {
  assert.ok(rows.every((row) => row.length === 2), "a row has two columns");
  const named = new Set(rows.flatMap(([theirs]) => theirs.match(/\w+/g)));
  const methods = [...declared.matchAll(/^ {4}(?!private|constructor)(?:get )?(\w+)\(/gm)].map(([, name]) => name);
  const functions = [...declared.matchAll(/^declare function (\w+)/gm)].map(([, name]) => name);
  assert.ok(new Set(methods).size > 45, "the declarations are read");
  const missing = [...new Set([...methods, ...functions])].filter((name) => !named.has(name));
  assert.deepEqual(missing, []);
  // What a program sees of a class that its types hide does not matter.
  for (const name of Object.getOwnPropertyNames(Chess.prototype)) {
    assert.ok(named.has(name) || name.startsWith("_") || name === "constructor", name);
  }
});

test("what the table names exists", () => {
  const objects = { game: new Game(), position: new Position(), tree: new GameTree(), Game, GameTree };
  objects.game.play("e4");
  for (const [, ours] of rows) {
    for (const [, name, member] of ours.matchAll(/\b(game|position|tree|Game|GameTree)\.(\w+)/g)) {
      assert.ok(member in objects[name], `${name}.${member}`);
    }
    for (const [, member] of ours.matchAll(/\bposition\.(\w+)/g)) assert.ok(member in objects.position, member);
  }
  assert.equal(layer(objects.game, "attackers:d5") & layer(objects.game, "white"), 1n << 28n);
});

test("what the table says of moves is so", () => {
  const theirs = new Chess();
  const ours = new Game();
  const line = "e4 a6 e5 d5 exd6 b5 dxc7 Bb7 cxb8=Q Bxg2 Nf3 Nf6 Bxg2 g6 O-O Qxb8 Nc3 Bg7 Na4 O-O";
  for (const san of line.split(" ")) {
    const move = theirs.move(san);
    ours.play(san);
    const last = ours.history.at(-1);
    assert.equal(last.captured !== undefined, move.isCapture() || move.isEnPassant());
    assert.equal(last.promotion !== undefined, move.isPromotion());
    assert.equal(last.flags.includes("e"), move.isEnPassant());
    assert.equal(last.flags.includes("k"), move.isKingsideCastle());
    assert.equal(last.flags.includes("q"), move.isQueensideCastle());
    assert.equal(last.flags.includes("b"), move.isBigPawn());
    assert.equal(ours.position.fullmoveNumber, theirs.moveNumber());
    const rights = theirs.getCastlingRights("w");
    assert.equal(ours.fen.split(" ")[2].includes("K"), rights.k);
    const kings = ours.position.pieces.filter(({ role, color }) => role === "king" && color === "white");
    assert.deepEqual(kings.map(({ square }) => square), theirs.findPiece({ type: "k", color: "w" }));
  }
  // The colour of a square, as the table says.
  for (const [file, letter] of [..."abcdefgh"].entries()) {
    for (let rank = 1; rank <= 8; rank += 1) {
      assert.equal(squareColor(`${letter}${rank}`), theirs.squareColor(`${letter}${rank}`));
    }
  }
});
