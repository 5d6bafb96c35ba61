// The class `Chess` of this package against that of chess.js, in Node: the same calls on the same
// games. The libraries take turns; the medians of processor time are printed.
//
//     node benchmarks/chess-js.mjs

import { strict as assert } from "node:assert";

import { Chess as Theirs } from "chess.js";
import { Chess as Ours } from "tabiya/chess.js";

import { median } from "./common.mjs";

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
const GAMES = 20;

/** Games of random moves, the same ones at each run. */
function games() {
  let state = 62;
  const number = (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % limit;
  };
  return Array.from({ length: GAMES }, () => {
    const chess = new Ours();
    for (let ply = 0; ply < 80 && !chess.isGameOver(); ply += 1) {
      const moves = chess.moves();
      chess.move(moves[number(moves.length)]);
    }
    return { moves: chess.history({ verbose: true }), pgn: chess.pgn() };
  });
}

const all = games();
const plies = all.reduce((sum, { moves }) => sum + moves.length, 0);
const fens = all.flatMap(({ moves }) => moves.map(({ after }) => after));

/** Each task returns a text that must be the same for both. */
const TASKS = {
  "load a FEN": [fens.length, (Chess) => {
    const chess = new Chess();
    return fens.map((fen) => (chess.load(fen), chess.turn())).join();
  }],
  "moves()": [fens.length, (Chess) => fens.map((fen) => new Chess(fen).moves().join()).join()],
  "moves({ verbose: true })": [fens.length / 10, (Chess) => fens.filter((_, at) => at % 10 === 0)
    .map((fen) => new Chess(fen).moves({ verbose: true }).map(({ after }) => after).join()).join()],
  "move(san)": [plies, (Chess) => played(Chess, ({ san }) => san)],
  "move({ from, to })": [plies, (Chess) => played(Chess, ({ from, to, promotion }) => ({ from, to, promotion }))],
  "isGameOver()": [fens.length, (Chess) => fens.map((fen) => new Chess(fen).isGameOver()).join()],
  "loadPgn, each move": [plies, (Chess) => all.map(({ pgn }) => {
    const chess = new Chess();
    chess.loadPgn(pgn);
    return chess.fen();
  }).join()],
  "get, of each square": [fens.length * 64, (Chess) => fens.map((fen) => {
    const chess = new Chess(fen);
    return all[0].moves.map(({ from }) => chess.get(from)?.type).join();
  }).join()],
};

function played(Chess, form) {
  return all.map(({ moves }) => {
    const chess = new Chess();
    for (const move of moves) chess.move(form(move));
    return chess.fen();
  }).join();
}

const seconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
console.log(`Node ${process.version}, medians of ${ROUNDS} rounds, microseconds a call\n`);
console.log(["call".padEnd(26), "tabiya".padStart(10), "chess.js".padStart(10), "ratio".padStart(10)].join(""));
for (const [name, [calls, task]] of Object.entries(TASKS)) {
  const times = { ours: [], theirs: [] };
  // The first round is only a warm-up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begin = seconds();
    const ours = task(Ours);
    const middle = seconds();
    const theirs = task(Theirs);
    const end = seconds();
    assert.equal(ours, theirs, name);
    if (round > 0) {
      times.ours.push(middle - begin);
      times.theirs.push(end - middle);
    }
  }
  const [ours, theirs] = [times.ours, times.theirs].map((list) => (median(list) / calls) * 1e6);
  console.log([name.padEnd(26), ours.toFixed(2).padStart(10), theirs.toFixed(2).padStart(10), `${(theirs / ours).toFixed(1)} times`.padStart(12)].join(""));
}
