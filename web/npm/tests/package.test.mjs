// Tests the package as it would be published: packed, and installed into a new folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("..", import.meta.url));
const tools = join(source, "../node_modules/.bin");
const folder = mkdtempSync(join(tmpdir(), "tabiya-package-"));
after(() => rmSync(folder, { recursive: true }));

const run = (program, given, cwd = folder) => execFileSync(program, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const write = (name, text) => writeFileSync(join(folder, name), text);

const entries = ["index", "perft", "layers", "compare", "methods", "tables"];
const loaders = ["chess", "load-chess", "load-tabiya"];
const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", folder], source));

test("it contains the expected files", () => {
  const files = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(files, [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "NOTICE-chess.js.txt",
    "README.md",
    "boards.md",
    "chess-js.md",
    "chess.d.ts",
    "chess.js",
    "openings.d.ts",
    "openings.js",
    "package.json",
    ...["browser", "node"].flatMap((place) => [...entries, ...loaders, "load-tools"].map((name) => `pkg/${place}/${name}.js`)),
    ...["index", ...loaders].map((name) => `pkg/sync/${name}.js`),
    ...entries.map((name) => `pkg/${name}.d.ts`),
    "pkg/tabiya-openings.js",
    ...["tabiya", "chess", "tools"].flatMap((name) => [".d.ts", ".js", "-address.d.ts", "-address.js", "_bg.wasm", "_bg.wasm.d.ts"].map((end) => `pkg/${name}${end}`)),
  ].sort());
});

/** Static hosts send this much. Node's own compressor packs less densely than gzip. */
const compressed = (name) => execFileSync("gzip", ["-9", "-c", join(source, name)]).length;

test("the main entry is small, and stays so", () => {
  const sizes = ["pkg/tabiya_bg.wasm", "pkg/tabiya.js", "pkg/browser/index.js", "pkg/browser/load-tabiya.js"].map(compressed);
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 170_000, sizes.join(" + "));
});

test("the public names are those of the README", async () => {
  const rows = readFileSync(join(source, "README.md"), "utf8").matchAll(/^\| `(tabiya[\w/]*)` \| (`.*`) \|$/gm);
  const named = new Map([...rows].map(([, entry, names]) => [entry, names.match(/\w+/g).sort()]));
  assert.deepEqual([...named.keys()], ["tabiya", ...entries.slice(1).map((name) => `tabiya/${name}`), "tabiya/openings"]);
  for (const [entry, names] of named) {
    assert.deepEqual(Object.keys(await import(entry)).sort(), names);
    const types = entry === "tabiya/openings" ? "openings.d.ts" : `pkg/${entry.split("/")[1] ?? "index"}.d.ts`;
    for (const name of names) assert.match(readFileSync(join(source, types), "utf8"), new RegExp(`\\b${name}\\b`));
  }
});

test("it can be installed and used", () => {
  write("package.json", JSON.stringify({ name: "user", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`]);
  assert.ok(existsSync(join(folder, "node_modules/tabiya/pkg/tabiya_bg.wasm")));
  write("count.js", 'import { perft } from "tabiya/perft"; console.log(perft("startpos", 4));');
  assert.equal(run(process.execPath, ["count.js"]), "197281n\n");
  write("opening.js", 'import { Position } from "tabiya"; import { openingAt } from "tabiya/openings"; console.log(openingAt(new Position().play("e4")).eco);');
  assert.equal(run(process.execPath, ["opening.js"]), "B00\n");
});

test("it is loaded synchronously, as require demands", () => {
  for (const name of readdirSync(join(source, "pkg/node"))) {
    assert.doesNotMatch(readFileSync(join(source, "pkg/node", name), "utf8"), /\bawait\b/);
  }
  write("count.cjs", 'console.log(require("tabiya/perft").perft(new (require("tabiya").Position)(), 3));');
  const [major, minor] = process.versions.node.split(".").map(Number);
  // Older versions of Node need an option.
  const given = major > 22 || (major === 22 && minor >= 12) ? [] : ["--experimental-require-module"];
  if (major > 20 || (major === 20 && minor >= 17)) {
    assert.equal(run(process.execPath, ["--no-warnings", ...given, "count.cjs"]), "8902n\n");
  }
});

const program = `
import { Editor, Game, type GameMove, GameTree, type InputError, type LegalMove, Position, explain } from "tabiya";
import { compareDivide } from "tabiya/compare";
import { calculate, methodSteps } from "tabiya/methods";
import { type MoveLike, type Square, squareColor } from "tabiya";
import { layer, svg as drawn } from "tabiya/layers";
import { perft } from "tabiya/perft";
import { type RankedMove, Tables, type Wdl } from "tabiya/tables";
import { type Opening, openingAt, openingOf } from "tabiya/openings";
import { Chess, DEFAULT_POSITION, type Move, type PieceSymbol, SQUARES, type Square as ChessSquare, WHITE, validateFen } from "tabiya/chess.js";

const position: Position = new Position("kiwipete");
const captures: LegalMove[] = position.moves("captures");
const total: bigint = perft(position.fen, 3) + perft(position, 2) + position.key;
const turn: "white" | "black" = position.turn;
const role: string | undefined = position.pieceAt("e4")?.role;
const reason: string | undefined = explain("startpos", "e5").reasons[0]?.sentence;
const game = new Game();
game.play("e4");
const ending: "1-0" | string | undefined = game.outcome?.result;
const next: Position | undefined = position.tryPlay("Nd3");
const svg: string = drawn(position, { layers: ["checkers"], flipped: true });
const dests: Map<Square, Square[]> = position.dests();
const moves: MoveLike[] = ["e4", { from: "e2", to: "e4" }, { from: "a7", to: "a8", promotion: "q" }, captures[0]!, game.history[0]!];
const set: bigint = layer(game, "pinned");
const color: "light" | "dark" = squareColor(captures[0]!.from);
const ofKnight: LegalMove[] = position.moves({ square: "e5", kind: "quiets" });
const captured: "pawn" | string | undefined = captures[0]?.captured;
const attacked: boolean = position.isAttacked("e4", "black");
const line: (string | undefined)[] = GameTree.fromPgn("1. e4 e5").mainLine().map(({ uci }) => uci);
const played: GameMove = Game.fromPgn("1. e4").history[0]!;
const after: string = played.after;
const whole: GameTree[] = GameTree.allFromPgn("1. e4", { errors: "skip" });
const names: (Opening | undefined)[] = [openingAt(position), openingOf(game), openingOf(game.toTree(), 0)];
const total3: bigint | undefined = compareDivide({ start: "startpos", moves: "", depth: 1, played: 0 }, [], "e2e4: 1").sum;
const value: bigint | undefined = calculate(game, "A & white", { A: 255n }).at(-1)?.value;
const steps: string[] = methodSteps("magic", "white", "rook", "a1", 0n).map(({ caption }) => caption);
const chess = new Chess(DEFAULT_POSITION, { chess960: true });
const targets = new Map<ChessSquare, Square[]>();
for (const square of SQUARES) {
  const ms = chess.moves({ square, verbose: true });
  if (ms.length > 0) targets.set(square, ms.map((m) => m.to));
}
const last: Move | undefined = chess.history({ verbose: true }).at(-1);
const piece: PieceSymbol | undefined = chess.get("e4")?.type;
const sans: string[] = chess.turn() === WHITE ? chess.moves({ piece: "n" }) : chess.moves();
const either: string[] | Move[] = chess.moves({ verbose: sans.length > 3 });
const squares: (Square | undefined)[] = chess.board().flat().map((cell) => cell?.square);
chess.move({ from: "e2", to: "e4", promotion: "q" });
console.log(last, piece, either, squares, chess.header("White", "A"), validateFen("").error, targets);
const tables = new Tables();
tables.add("KRvK.rtbw", new Uint8Array(80));
const results: () => [Wdl, number, RankedMove[], LegalMove[]] = () => [tables.wdl(position), tables.dtz(position), tables.rootMoves(position, "repeated"), tables.line(position)];
try {
  position.play("?");
} catch (error) {
  console.log((error as InputError).start);
}
console.log(dests, moves, set, color, total3, value, steps, tables.missing(position), tables.files, results, names, whole, after, ofKnight, captured, attacked, line, captures, total, turn, role, reason, ending, next, svg);
`;

test("TypeScript accepts correct programs and rejects wrong ones", () => {
  const check = (name, target = "ES2022", lib = "ES2022,DOM") => run(join(tools, "tsc"), [
    "--strict", "--noEmit", "--target", target, "--module", "ESNext", "--moduleResolution", "bundler",
    "--lib", lib, "--types", "", name,
  ]);
  write("right.ts", program);
  check("right.ts");
  // A newer library declares `Symbol.dispose` as well.
  write("using.ts", `${program}\nusing other = new Position();\nconsole.log(other.fen);\n`);
  check("using.ts", "ESNext", "ESNext,DOM");
  for (const wrong of ['position.moves({ squares: "e2" });', "game.history();", "position.isCheck();", 'chess.get("e9");', 'chess.moves({ verbose: "yes" });', "const m: Move[] = chess.moves();", 'new Chess("", { chess690: true });', "chess._fen;", 'new Position(5);', 'position.moves("all");', 'perft(position, "3");', "perft(5, 3);", "const n: number = position.key;", "drawn(position, { flip: true });", 'position.pieceAt("z9");', 'position.play({ from: "e2" });', 'position.play({ from: "e2", to: "e4", promotion: "king-size" });', 'new Editor("startpos").setCastlingRight("X", true);', "openingAt(game);", 'tables.rootMoves(position, "always");', 'tables.add("KRvK.rtbw", "bytes");', "openingOf(game, 0);", 'Game.fromPgn("1. e4", { errors: "raise" });']) {
    write("wrong.ts", `${program}\n${wrong}\n`);
    assert.throws(() => check("wrong.ts"), wrong);
  }
});

test("the functions that load the module stay inside", async () => {
  const names = run(process.execPath, ["--input-type=module", "--eval", 'import * as all from "tabiya"; console.log(Object.keys(all).join(" "));']);
  assert.match(names, /\bPosition\b/);
  assert.doesNotMatch(names, /init|default|wbg/i);
  write("raw.ts", 'import { initSync } from "tabiya"; console.log(initSync);');
  assert.throws(() => run(join(tools, "tsc"), ["--strict", "--noEmit", "--target", "ES2022", "--module", "ESNext", "--moduleResolution", "bundler", "--types", "", "raw.ts"]));
});

test("Vite bundles it", () => {
  mkdirSync(join(folder, "src"));
  write("index.html", '<!doctype html><script type="module" src="./src/main.js"></script>');
  write("src/main.js", 'import { perft } from "tabiya/perft"; document.body.append(String(perft("startpos", 3)));');
  write("vite.config.js", 'export default { build: { target: "es2022" } };');
  run(join(tools, "vite"), ["build", "--logLevel", "error"]);
  const assets = readdirSync(join(folder, "dist/assets"));
  assert.equal(assets.filter((name) => name.endsWith(".wasm")).length, 1);
  const script = assets.find((name) => name.endsWith(".js"));
  assert.doesNotMatch(readFileSync(join(folder, "dist/assets", script), "utf8"), /node:fs/);
});
