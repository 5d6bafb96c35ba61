// Runs the example `wasm` in Node and compares its counts.
//
//     node run.mjs target/wasm32-unknown-unknown/release/examples/wasm.wasm
//
// The example explains how to build it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const path = process.argv[2];
assert.ok(path, "the path of wasm.wasm is missing");

// The module imports nothing, so it gets no clock, no threads, no files and no random numbers.
const { instance } = await WebAssembly.instantiate(await readFile(path), {});
const wasm = instance.exports;

const start = performance.now();
assert.equal(wasm.start_perft(5), 4_865_609n);
assert.equal(wasm.kiwipete_perft_with_table(4), 4_085_603n);
assert.equal(wasm.kiwipete_captures(4), 757_163n);
assert.equal(wasm.kiwipete_checkmates_with_table(4), 43n);
assert.equal(wasm.suite_counts_right(), 3);
const estimate = wasm.start_estimate(7, 1000);
assert.ok(Math.abs(estimate / 3_195_901_860 - 1) < 0.05, `estimate ${estimate}`);
const seconds = (performance.now() - start) / 1000;
console.log(`counts in WebAssembly are right (${seconds.toFixed(2)} s)`);
