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

const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", folder], source));

test("it contains the expected files", () => {
  const files = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(files, [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "browser.js",
    "index.d.ts",
    "node.js",
    "openings.d.ts",
    "openings.js",
    "package.json",
    "pkg/tabiya-openings.js",
    "pkg/tabiya.d.ts",
    "pkg/tabiya.js",
    "pkg/tabiya_bg.wasm",
    "pkg/tabiya_bg.wasm.d.ts",
  ]);
});

test("it can be installed and used", () => {
  write("package.json", JSON.stringify({ name: "user", private: true, type: "module" }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`]);
  assert.ok(existsSync(join(folder, "node_modules/tabiya/pkg/tabiya_bg.wasm")));
  write("count.js", 'import { perft } from "tabiya"; console.log(perft("startpos", 4));');
  assert.equal(run(process.execPath, ["count.js"]), "197281n\n");
  write("opening.js", 'import { Position } from "tabiya"; import { openingAt } from "tabiya/openings"; console.log(openingAt(new Position().play("e4")).eco);');
  assert.equal(run(process.execPath, ["opening.js"]), "B00\n");
});

test("it is loaded synchronously, as require demands, and refers to nothing outside itself", () => {
  const entry = readFileSync(join(source, "node.js"), "utf8");
  assert.doesNotMatch(entry, /\bawait\b/);
  write("count.cjs", 'console.log(require("tabiya").perft("startpos", 3));');
  const [major, minor] = process.versions.node.split(".").map(Number);
  // Older versions of Node need an option.
  const given = major > 22 || (major === 22 && minor >= 12) ? [] : ["--experimental-require-module"];
  if (major > 20 || (major === 20 && minor >= 17)) {
    assert.equal(run(process.execPath, ["--no-warnings", ...given, "count.cjs"]), "8902n\n");
  }
  const readme = readFileSync(join(source, "README.md"), "utf8");
  assert.doesNotMatch(readme, /\]\((?!https:|#)/);
});

const program = `
import { Game, type GameMove, GameTree, type InputError, type LegalMove, Position, type RankedMove, Tables, type Wdl, explain, perft } from "tabiya";
import { type Opening, openingAt, openingOf } from "tabiya/openings";

const position: Position = new Position("kiwipete");
const captures: LegalMove[] = position.moves("captures");
const total: bigint = perft(position.fen, 3) + position.perft(2) + position.key;
const turn: "white" | "black" = position.turn;
const role: string | undefined = position.pieceAt("e4")?.role;
const reason: string | undefined = explain("startpos", "e5").reasons[0]?.sentence;
const game = new Game();
game.play("e4");
const ending: "1-0" | string | undefined = game.outcome?.result;
const next: Position | undefined = position.tryPlay("Nd3");
const svg: string = position.svg({ layers: ["checkers"], flipped: true });
const ofKnight: LegalMove[] = position.moves({ square: "e5", kind: "quiets" });
const captured: "pawn" | string | undefined = captures[0]?.captured;
const attacked: boolean = position.isAttacked("e4", "black");
const line: (string | undefined)[] = GameTree.fromPgn("1. e4 e5").mainLine().map(({ uci }) => uci);
const played: GameMove = Game.fromPgn("1. e4").history[0]!;
const after: string = played.after;
const whole: GameTree[] = GameTree.allFromPgn("1. e4", { errors: "skip" });
const names: (Opening | undefined)[] = [openingAt(position), openingOf(game), openingOf(game.toTree(), 0)];
const tables = new Tables();
tables.add("KRvK.rtbw", new Uint8Array(80));
const results: () => [Wdl, number, RankedMove[], LegalMove[]] = () => [tables.wdl(position), tables.dtz(position), tables.rootMoves(position, "repeated"), tables.line(position)];
try {
  position.play("?");
} catch (error) {
  console.log((error as InputError).start);
}
console.log(tables.missing(position), tables.files, results, names, whole, after, ofKnight, captured, attacked, line, captures, total, turn, role, reason, ending, next, svg);
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
  for (const wrong of ['position.moves({ squares: "e2" });', "game.history();", "position.isCheck();", 'new Position(5);', 'position.moves("all");', 'position.perft("3");', "const n: number = position.key;", "position.svg({ flip: true });", "openingAt(game);", 'tables.rootMoves(position, "always");', 'tables.add("KRvK.rtbw", "bytes");', "openingOf(game, 0);", 'Game.fromPgn("1. e4", { errors: "raise" });']) {
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
  write("src/main.js", 'import { perft } from "tabiya"; document.body.append(String(perft("startpos", 3)));');
  write("vite.config.js", 'export default { build: { target: "es2022" } };');
  run(join(tools, "vite"), ["build", "--logLevel", "error"]);
  const assets = readdirSync(join(folder, "dist/assets"));
  assert.equal(assets.filter((name) => name.endsWith(".wasm")).length, 1);
  const script = assets.find((name) => name.endsWith(".js"));
  assert.doesNotMatch(readFileSync(join(folder, "dist/assets", script), "utf8"), /node:fs/);
});
