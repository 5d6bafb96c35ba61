// The same random programs of calls on chess.js 1.4.0 and on our class: every answer and the whole state are compared.
//
// What may differ is listed in `chess-js/differences.mjs`, which also makes the table of `chess-js.md`: with
// TABIYA_WRITE_DOCS=1 we write it, otherwise we compare. TABIYA_LONG_TESTS=1 makes many more calls, and TABIYA_SEED
// begins with another program.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import * as theirs from "chess.js";
import * as ours from "tabiya/chess.js";

import { DIFFERENCES, table } from "./chess-js/differences.mjs";
import { FAULTY } from "./chess-js/faulty.mjs";
import { boardFen, damaged, FAULTY as FAULTY_FENS, LEGAL, REFUSED } from "./chess-js/positions.mjs";
import { play } from "./chess-js/programs.mjs";
import { Random } from "./chess-js/random.mjs";
import { Pair, report, run, shrunk, text } from "./chess-js/run.mjs";

const { Chess } = theirs;
const IS_LONG = process.env.TABIYA_LONG_TESTS === "1";
const FIRST_SEED = Number(process.env.TABIYA_SEED ?? 1);

/** Plays programs until so many calls are made. Answers the first difference, or how much was compared. */
function explore(Ours, calls, differences = DIFFERENCES) {
  const excused = new Map();
  const total = { programs: 0, calls: 0, answers: 0, excused };
  for (let seed = FIRST_SEED; total.calls < calls; seed += 1) {
    const pair = new Pair(Chess, Ours, differences, excused);
    const difference = play(new Random(seed), pair);
    total.programs += 1;
    total.calls += pair.calls.length;
    total.answers += pair.compared;
    if (difference) return { ...total, seed, difference: shrunk(difference, Chess, Ours, differences) };
  }
  return total;
}

test("random programs of calls get the same answers", (context) => {
  const found = explore(ours.Chess, IS_LONG ? 100_000 : 4_000);
  if (found.difference) assert.fail(`program ${found.seed} differs:\n\n${report(found.difference)}\n`);
  const known = [...found.excused].map(([id, count]) => `${count} ${id}`).join(", ");
  context.diagnostic(`${found.programs} programs, ${found.calls} calls, ${found.answers} answers; known: ${known}`);
});

test("the differential finds faults", () => {
  const faults = Object.entries(FAULTY).slice(0, IS_LONG ? undefined : 4);
  for (const [name, Faulty] of faults) {
    const { difference } = explore(Faulty, 4_000, []);
    assert.ok(difference, `${name}: not found`);
    // What it prints shows the fault as well.
    assert.ok(run(difference.calls, Chess, Faulty), `${name}: ${report(difference)}`);
  }
});

test("each known difference is still there", () => {
  assert.equal(new Set(DIFFERENCES.map(({ id }) => id)).size, DIFFERENCES.length);
  for (const { id, program, excuse } of DIFFERENCES) {
    const difference = run(program, Chess, ours.Chess);
    assert.ok(difference, `${id}: both answer the same now`);
    assert.ok(excuse(difference), `${id}: differs in another way:\n${report(difference)}`);
  }
});

test("the page shows the known differences", () => {
  const page = new URL("../chess-js.md", import.meta.url);
  const before = readFileSync(page, "utf8");
  const marked = /(?<=<!-- differences -->\n)[^]*(?=<!-- \/differences -->)/;
  assert.match(before, marked);
  const after = before.replace(marked, () => table(Chess, ours.Chess));
  if (process.env.TABIYA_WRITE_DOCS === "1") writeFileSync(page, after);
  else assert.equal(before, after, "chess-js.md is out of date: run this test with TABIYA_WRITE_DOCS=1");
});

test("the exports are the same", () => {
  const names = Object.keys(theirs).filter((name) => name !== "default" && name !== "module.exports");
  assert.deepEqual(Object.keys(ours).sort(), names.sort());
  for (const name of names) {
    assert.equal(typeof ours[name], typeof theirs[name], name);
    if (typeof theirs[name] !== "function") assert.equal(text(ours[name]), text(theirs[name]), name);
  }
  const members = (a) => Object.getOwnPropertyNames(a.prototype).filter((name) => !name.startsWith("_"));
  for (const name of ["Chess", "Move"]) {
    assert.deepEqual(members(theirs[name]).filter((member) => !members(ours[name]).includes(member)), []);
  }
  const [one, two] = [theirs.xoroshiro128(0x123456789abcdefn), ours.xoroshiro128(0x123456789abcdefn)];
  for (let count = 0; count < 1000; count += 1) assert.equal(one(), two());
});

test("validateFen answers the same", () => {
  const random = new Random(FIRST_SEED);
  const fens = [...LEGAL, ...REFUSED, ...FAULTY_FENS];
  for (let count = IS_LONG ? 200_000 : 10_000; count > 0; count -= 1) {
    const fen = random.chance(0.2) ? boardFen(random, { K: random.below(3), k: random.below(3) }) : random.pick(fens);
    const tried = random.chance(0.9) ? damaged(random, fen) : fen;
    assert.equal(text(ours.validateFen(tried)), text(theirs.validateFen(tried)), tried);
  }
});
