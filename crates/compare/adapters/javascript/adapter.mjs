// Lets `tabiya compare` ask a move generator in JavaScript: tabiya compare -- node adapter.mjs
import { createInterface } from "node:readline";
import { Position, uci } from "./generator.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

function perft(position, depth) {
  if (depth === 0) return 1;
  let count = 0;
  for (const move of position.legalMoves()) count += below(position, move, depth);
  return count;
}

// A move of the last ply isn't played: if it's illegal, that may crash.
function below(position, move, depth) {
  return depth > 1 ? perft(position.play(move), depth - 1) : 1;
}

let position = Position.fromFen(START);
for await (const line of createInterface({ input: process.stdin })) {
  const words = line.trim().split(/\s+/);
  if (words[0] === "uci") console.log("uciok");
  if (words[0] === "isready") console.log("readyok");
  if (words[0] === "quit") break;
  if (words[0] === "position") {
    const [head, moves] = line.split(" moves");
    position = Position.fromFen(words[1] === "startpos" ? START : head.split(" fen ")[1]);
    for (const text of moves?.match(/\S+/g) ?? []) {
      position = position.play([...position.legalMoves()].find((move) => uci(move) === text));
    }
  }
  if (words[0] === "go" && words[1] === "perft") {
    const counts = [...position.legalMoves()].map((move) => [uci(move), below(position, move, words[2])]);
    for (const [text, count] of counts) console.log(`${text}: ${count}`);
    console.log(`\nNodes searched: ${counts.reduce((sum, [, count]) => sum + count, 0)}\n`);
  }
}
