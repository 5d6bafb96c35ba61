// No input may do more than throw: a trap would leave the module unusable.
import assert from "node:assert/strict";
import test from "node:test";

import "tabiya";
import { categories, divide, perft } from "tabiya/perft";

// Also what only the explorer uses.
import * as games from "../pkg/tabiya.js";
import * as tools from "../pkg/tools.js";

const { Game, Position, explain } = games;

/** Does the module still work? */
function works() {
  assert.equal(perft("kiwipete", 3), 97_862n);
  assert.equal(new Position().play("e4").moves().length, 20);
}

/** Calls a function that may throw, but must not trap. */
function tried(call, what) {
  try {
    call();
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError || /unreachable|recursive/.test(error.message);
    assert.ok(!isTrap, `${what}: ${error}`);
    assert.ok(error instanceof Error, `${what}: ${error}`);
    assert.notEqual(error.message, "", what);
  }
}

/** The 32-bit xorshift generator, which gives the same inputs in every run. */
function random(seed) {
  return (below) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % below;
  };
}

const pieces = [..."pnbrqkPNBRQK12345678/ wb-KQkqaheh0123456789x+#=O:,;.\u0000\u00e9\u265e\ud834\udd1e\ud800", "startpos", "chess960:", "e2e4", "8/8/8/8", " w - - 0 1"];

function texts(count) {
  const next = random(2026);
  const fen = new Position("kiwipete").fen;
  return Array.from({ length: count }, (_, index) => {
    if (index % 2) return Array.from({ length: next(20) }, () => pieces[next(pieces.length)]).join("");
    const [at, size] = [next(fen.length), next(4)];
    return fen.slice(0, at) + pieces[next(pieces.length)] + fen.slice(at + size);
  });
}

test("random texts", () => {
  const start = new Position();
  const many = texts(process.env.TABIYA_LONG_TESTS ? 50_000 : 2_000);
  for (const text of many) {
    const shown = JSON.stringify(text);
    tried(() => new Position(text).moves(), shown);
    tried(() => perft(text, 2), shown);
    tried(() => new Game(text), shown);
    tried(() => explain("kiwipete", text), shown);
    tried(() => start.play(text), shown);
    tried(() => tools.layer("startpos", text), shown);
    tried(() => start.pieceAt(text), shown);
    tried(() => start.moves(text), shown);
    tried(() => tools.svg(start, { title: text, lastMove: text }), shown);
    assert.ok(start.tryPlay(text) === undefined || start.move(text));
  }
  works();
});

test("an error says which part of the text is wrong", () => {
  const wrong = (call) => {
    try {
      call();
    } catch (error) {
      assert.equal(error.name, "InputError");
      return error.input.slice(error.start, error.end);
    }
    assert.fail("nothing was thrown");
  };
  assert.equal(wrong(() => new Position("8/8/8/8/8/8/8/8 x - - 0 1")), "x");
  assert.equal(wrong(() => new Position().play("Nf9")), "9");
  assert.equal(wrong(() => new Position("chess960:960")), "960");
  // Places are indices of JavaScript's strings, even after characters of two units.
  assert.equal(wrong(() => new games.Editor("startpos", "e4 \u{1d11e}")), "\u{1d11e}");
  assert.equal(new Position().explain("Nd4").legal, false);
});

test("a depth is a whole number", () => {
  const counts = [perft, divide, categories].map((count) => (depth) => count("startpos", depth));
  for (const count of counts) {
    for (const wrong of [2.9, -1, 0, 256, 4_294_967_298, NaN, Infinity]) {
      assert.throws(() => count(wrong), { name: "InputError", message: /from 1 to 255/, input: String(wrong).replace("Infinity", "inf") }, `${wrong}`);
    }
    for (const wrong of ["2", null, undefined, true, 2n, [2], { valueOf: () => 2 }]) {
      assert.throws(() => count(wrong), { name: "TypeError", message: "the depth is not a number" });
    }
    assert.ok(count(2));
  }
});

test("unknown options are refused by name", () => {
  const start = new Position();
  const message = "svg has no option foo; its options are title, layers, arrows, lastMove, flipped, transparent, coordinates, size";
  assert.throws(() => tools.svg(start, { foo: 1 }), { name: "TypeError", message });
  assert.throws(() => tools.svg(start, { flipped: true, foo: undefined }), { name: "TypeError", message });
  assert.throws(() => tools.svg(start, ["pawns"]), { name: "TypeError" });
  // Every option is known, and may be left out.
  const options = { title: "A", layers: [], arrows: [], lastMove: "e2e4", flipped: true, transparent: true, coordinates: "inside", size: 300 };
  assert.match(tools.svg(start, options), /^<svg/);
  const open = Object.fromEntries(Object.keys(options).map((key) => [key, undefined]));
  assert.equal(tools.svg(start, open), tools.svg(start));
  const hostile = new Proxy({}, { ownKeys() { throw new Error("no keys"); } });
  tried(() => tools.svg(start, hostile), "a proxy");
  works();
});

test("a wrong object is a TypeError in plain words", () => {
  const start = new Position();
  const of = (name) => ({ name: "TypeError", message: `expected a value of type ${name}, as it is declared in TypeScript` });
  for (const wrong of [5, "text", { layers: 5 }, { layers: [5] }, { title: 5 }, { flipped: "yes" }]) {
    assert.throws(() => tools.svg(start, wrong), of("SvgOptions"), JSON.stringify(wrong));
  }
  const question = { start: "startpos", moves: "", depth: 1, played: 0 };
  for (const wrong of [5, {}, { ...question, depth: "1" }, { ...question, above: 5 }]) {
    assert.throws(() => tools.compareDivide(wrong, [], ""), of("DivideQuestion"), JSON.stringify(wrong));
  }
  for (const wrong of [5, {}, [5], [{ uci: "e2e4", count: "1" }]]) {
    assert.throws(() => tools.compareDivide(question, wrong, ""), of("RightCounts"), JSON.stringify(wrong));
  }
});

test("values that are not arrays are refused", () => {
  const wrong = { name: "TypeError", message: "expected an array, not object" };
  for (const sets of [{ length: -1 }, { length: 2 ** 40 }, {}]) {
    assert.throws(() => Position.fromPacked(sets), wrong);
    assert.throws(() => new tools.Counter(1, false, sets), wrong);
  }
  works();
});

test("values of wrong types", () => {
  const values = [undefined, null, true, 3, -1, 1.5, NaN, 1e300, 10n, Symbol("x"), {}, [], [1, 2], { length: 5 }, { length: -1 }, () => 1, "text", new Position(), new String("e4")];
  const calls = {};
  for (const [name, value] of [...Object.entries(games), ...Object.entries(tools)]) {
    if (typeof value !== "function") continue;
    const methods = Object.getOwnPropertyNames(value.prototype ?? {});
    const isClass = methods.includes("free");
    if (!isClass) {
      calls[name] = (...given) => value(...given);
      continue;
    }
    calls[name] = (...given) => new value(...given);
    const own = { Position: () => new Position(), Game: () => new Game() }[name];
    for (const method of methods.filter((method) => !["constructor", "free", "__destroy_into_raw"].includes(method))) {
      if (own === undefined) continue;
      calls[`${name}.${method}`] = (...given) => {
        const object = own();
        const member = object[method];
        if (typeof member === "function") member.apply(object, given);
      };
    }
  }
  assert.ok(Object.keys(calls).length > 30, Object.keys(calls).join());
  // Leave out the module's own loaders, which are called only once. The time of a count to a great
  // depth is the caller's choice.
  for (const name of ["default", "initSync"]) delete calls[name];
  const isLong = (given) => given.some((value) => typeof value === "number" && value > 3);
  for (const [name, call] of Object.entries(calls)) {
    for (const first of values) {
      for (const second of [undefined, ...values]) {
        if (isLong([first, second])) continue;
        tried(() => call(first, second, second), `${name}(${typeof first}, ${typeof second})`);
      }
    }
  }
  works();
});

test("freed objects are not used", () => {
  const position = new Position();
  position.free();
  tried(() => position.moves(), "freed");
  assert.throws(() => position.fen, Error);
  assert.throws(() => new Position().equals({}), Error);
  works();
});

test("long games", () => {
  const game = new Game();
  for (let ply = 0; ply < 1000; ply += 4) {
    for (const move of ["Nf3", "Nf6", "Ng1", "Ng8"]) game.play(move);
  }
  assert.equal(game.history.length, 1000);
  assert.equal(game.occurrences, 251);
  works();
});
