// Positions that programs begin with, from the suites, and boards of many other kinds.
import { readFileSync } from "node:fs";

const suite = (name) => readFileSync(new URL(`../../../../suites/${name}`, import.meta.url), "utf8");
const lines = (name) => suite(name).split("\n").filter((line) => line && !line.startsWith("#"));

/** Positions of the suites: each rule of chess that a move generator can get wrong. */
export const LEGAL = ["standard.epd", "rules.epd", "regression.epd"].flatMap((name) =>
  lines(name).map((line) => line.split(";")[0].trim()),
);

/** FENs that aren't positions by the rules. */
export const REFUSED = lines("reject.tsv").map((line) => line.split("\t")[0]);

/** FENs with mistakes of other kinds, or with fields left out. */
export const FAULTY = [
  "",
  " ",
  "startpos",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w  KQkq  -  0  1",
  " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x y",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3x 07",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1.5 2.5",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK-q - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
  "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "rnbqkbnr/pppppppp/4k3/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "Pnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQk - 0 1",
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNp w Qkq - 0 1",
  "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
  "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
  "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
];

/** The letters of a board without a king, and how many squares are empty. */
const BOARD = "ppppppPPPPPPnNbBrRqQ".split("");

/** A board at random, as rows of letters; `kings` says how many kings each side has. */
export function board(random, kings = { K: 1, k: 1 }) {
  const squares = Array(64).fill("");
  const density = random.next() * 0.7;
  for (let square = 0; square < 64; square += 1) {
    const letter = random.pick(BOARD);
    const isEdge = square < 8 || square >= 56;
    if (random.chance(density) && !(isEdge && letter.toLowerCase() === "p")) squares[square] = letter;
  }
  for (const [letter, count] of Object.entries(kings)) {
    for (let left = count; left > 0; left -= 1) {
      // Kings that haven't moved can castle.
      const home = letter === "K" ? 60 : 4;
      let square = random.chance(0.4) ? home : random.below(64);
      while (/[kK]/.test(squares[square])) square = random.below(64);
      squares[square] = letter;
      if (square === home) {
        for (const rook of [home - 4, home + 3]) {
          if (random.chance(0.7) && !/[kK]/.test(squares[rook])) squares[rook] = letter === "K" ? "R" : "r";
        }
      }
    }
  }
  const rows = [];
  for (let row = 0; row < 64; row += 8) {
    rows.push(squares.slice(row, row + 8).map((letter) => letter || "1").join("").replace(/1+/g, (run) => run.length));
  }
  return rows;
}

/** The castling rights that kings and rooks on their squares allow, some of them left out. */
function rights(random, rows) {
  const letter = (row, file) => rows[row].replace(/\d/g, (digit) => " ".repeat(digit))[file];
  const has = [
    ["K", letter(7, 4) === "K" && letter(7, 7) === "R"],
    ["Q", letter(7, 4) === "K" && letter(7, 0) === "R"],
    ["k", letter(0, 4) === "k" && letter(0, 7) === "r"],
    ["q", letter(0, 4) === "k" && letter(0, 0) === "r"],
  ];
  return has.filter(([, can]) => can && random.chance(0.8)).map(([right]) => right).join("") || "-";
}

/** A FEN of a board at random. */
export function boardFen(random, kings) {
  const rows = board(random, kings);
  const counts = random.chance(0.8) ? "0 1" : `${random.below(120)} ${1 + random.below(200)}`;
  return `${rows.join("/")} ${random.pick(["w", "b"])} ${rights(random, rows)} - ${counts}`;
}

/** A text with one to three characters changed, left out or doubled. */
export function damaged(random, text) {
  let result = text;
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const at = random.below(result.length + 1);
    const letter = random.pick([..."kKqQpPrRnNbBwx12345678/- abcdefgh{}()[];$.\"\n*0="]);
    const rest = result.slice(at + random.below(2));
    result = result.slice(0, at) + (random.chance(0.3) ? "" : letter) + rest;
  }
  return result;
}
