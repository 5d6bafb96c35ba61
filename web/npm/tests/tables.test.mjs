// Endgame tables from bytes. Those of python-chess's source distribution aren't part of this project:
// TABIYA_SYZYGY names a folder with them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { Position } from "tabiya";
import { Tables } from "tabiya/tables";

const folder = process.env.TABIYA_SYZYGY;
const skip = folder === undefined && "TABIYA_SYZYGY names no folder with tables";

/** Tables of these names, or all. */
const loaded = (wanted = () => true) => {
  const tables = new Tables();
  for (const name of readdirSync(folder).filter((name) => /\.rtb[wz]$/.test(name) && wanted(name))) {
    tables.add(name, readFileSync(join(folder, name)));
  }
  return tables;
};

const input = (message) => ({ name: "InputError", message });

test("without tables, the errors say what is missing", () => {
  const tables = new Tables();
  assert.deepEqual([tables.pieces, tables.files], [0, []]);
  const rooks = new Position("4k3/8/8/8/8/8/8/r3K2R w - - 0 1");
  const needed = ["KRvK.rtbw", "KRvK.rtbz", "KRvKR.rtbw", "KRvKR.rtbz"];
  assert.deepEqual(tables.missing(rooks), needed);
  assert.throws(() => tables.wdl(rooks), { ...input("KRvKR.rtbw is missing"), input: rooks.fen });
  assert.throws(() => tables.missing(new Position()), input("there are 32 pieces, and tables have at most 7"));
  for (const look of ["wdl", "dtz", "rootMoves", "line"]) {
    assert.throws(() => tables[look](new Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), input(/castling/));
  }
  assert.throws(() => tables.rootMoves(rooks, "none"), input("the fifty-move rule: apply, repeated or ignore"));
  assert.throws(() => tables.add("KRvKRP.rtbw", new Uint8Array(80)), { ...input(/stronger side first/), input: "KRvKRP.rtbw" });
  assert.throws(() => tables.add("KRvK.rtbw", "bytes"), TypeError);
  tables.add("KRvKR.rtbw", new Uint8Array(80));
  assert.deepEqual(tables.missing(rooks), needed.filter((name) => name !== "KRvKR.rtbw"));
  assert.throws(() => tables.wdl(rooks), input(/KRvKR.rtbw is damaged/));
  assert.equal(tables.wdl(new Position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), "draw");
});

test("known positions", { skip }, () => {
  const tables = loaded();
  assert.deepEqual([tables.pieces, tables.files.length], [4, 70]);
  for (const [fen, wdl, dtz] of [
    ["8/8/8/8/B7/N7/K2k4/8 b - - 0 1", "loss", -59],
    ["8/8/8/k2Pp3/8/8/8/4K3 w - e6 0 2", "win", 1],
    ["8/P7/8/8/8/7k/8/K7 w - - 0 1", "win", 1],
    ["k7/8/8/P7/8/8/8/K7 w - - 0 1", "draw", 0],
    ["k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "loss", -1],
  ]) {
    const position = new Position(fen);
    assert.deepEqual([tables.wdl(position), tables.dtz(position)], [wdl, dtz], fen);
    assert.deepEqual(tables.missing(position), []);
  }
  for (const name of tables.files) tables.verify(name);
  const bytes = readFileSync(join(folder, "KQvK.rtbw"));
  bytes[20] ^= 1;
  tables.add("KQvK.rtbw", bytes);
  assert.throws(() => tables.verify("KQvK.rtbw"), input(/damaged/));
});

test("the moves are ranked, and the best line ends in mate", { skip }, () => {
  const tables = loaded((name) => /^K[BN]+vK\./.test(name));
  const position = (clock) => new Position(`8/8/8/8/B7/N7/K2k4/8 w - - ${clock} 80`);
  const moves = tables.rootMoves(position(0));
  assert.deepEqual(moves.map(({ move }) => move.uci).sort(), position(0).moves().map(({ uci }) => uci).sort());
  assert.deepEqual(moves.map(({ rank }) => rank), moves.map(({ rank }) => rank).sort((a, b) => b - a));
  assert.deepEqual([moves[0].wdl, moves[0].rank], ["win", 1000]);
  assert.equal(tables.rootMoves(position(60))[0].wdl, "cursed-win");
  assert.equal(tables.rootMoves(position(60), "ignore")[0].wdl, "win");
  const end = tables.line(position(0)).reduce((now, { san }) => now.play(san), position(0));
  assert.ok(end.isCheckmate);
});
