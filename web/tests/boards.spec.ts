// The examples with boards of other projects: real drags on the built pages. What a board shows is compared with chess.js.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Locator } from "@playwright/test";
import { Chess } from "chess.js";
import { build } from "vite";

import { expect, type Page, test as base } from "./harness.ts";
import { type Server, serve } from "./server.ts";

interface Board {
  /** The file of the example. */
  readonly page: string;
  /** The eight by eight squares. */
  readonly squares: string;
  /** The pieces, without those in the air. */
  readonly pieces: string;
  /** What the example shows on the square of the king in check. */
  readonly check: string;
  /** The button that makes a knight of a pawn. */
  readonly knight: string;
  /** What is drawn on the square under the pointer, if a piece drops on the square drawn last. */
  readonly over?: string;
}

const CHESSGROUND: Board = {
  page: "chessground/index.html",
  squares: "cg-board",
  pieces: "cg-board piece:not(.ghost, .fading, .dragging)",
  check: "square.check",
  knight: "dialog button[value=n]",
};
const CM_CHESSBOARD: Board = {
  page: "cm-chessboard/index.html",
  squares: ".cm-chessboard .board",
  pieces: ".cm-chessboard .pieces-layer [data-piece]",
  check: ".marker-circle-danger",
  knight: ".promotion-dialog-button-group[data-piece=wn]",
};
const REACT_CHESSBOARD: Board = {
  page: "react-chessboard/index.html",
  squares: "#chessboard-board",
  pieces: "#chessboard-board [data-piece]",
  check: "[style*=radial-gradient]",
  knight: "button:text('Knight')",
  over: "[style*=box-shadow]",
};
const CHESS_JS: Board = { ...REACT_CHESSBOARD, page: "react-chessboard/chess-js.html" };

const test = base.extend<object, { examples: Server }>({
  examples: [async ({}, use) => {
    const root = fileURLToPath(new URL("../examples", import.meta.url));
    const folder = await mkdtemp(join(tmpdir(), "tabiya-boards-"));
    const input = [CHESSGROUND, CM_CHESSBOARD, REACT_CHESSBOARD, CHESS_JS].map(({ page }) => join(root, page));
    await build({ root, base: "./", configFile: false, logLevel: "error", build: { outDir: folder, target: "es2023", rolldownOptions: { input } } });
    const server = await serve(folder);
    await use(server);
    await server.stop();
    await rm(folder, { recursive: true });
  }, { scope: "worker" }],
});

/** Someone who plays on an example's board, and chess.js, which says what the board must show. */
class Player {
  private chess = new Chess();
  private readonly page: Page;
  private readonly board: Board;
  private readonly address: string;

  constructor(page: Page, board: Board, { address }: Server) {
    this.page = page;
    this.board = board;
    this.address = address + board.page;
  }

  async open(fen = "") {
    // A change of the fragment alone would not reload the page.
    await this.page.goto("about:blank");
    await this.page.goto(`${this.address}#${encodeURIComponent(fen)}`);
    // chess.js knows no Chess960.
    this.chess = new Chess(fen.replace("HBhb", "-") || undefined);
    await this.shows();
  }

  async plays(from: string, to: string, san: string) {
    await this.drag(from, to);
    await this.follows(san);
  }

  async refuses(from: string, to: string, reason: RegExp) {
    await this.drag(from, to);
    await expect(this.page.locator("#reason")).toHaveText(reason);
    await this.shows();
  }

  async takesBack(button: "Undo" | "Back") {
    await this.click(this.page.getByRole("button", { name: button, exact: true }));
    this.chess.undo();
    await this.shows();
  }

  /** Plays a pawn to the last rank, where it becomes a knight. */
  async promotes(from: string, to: string, san: string) {
    await this.drag(from, to);
    await this.click(this.page.locator(this.board.knight));
    await this.follows(san);
  }

  /** Plays a move that gives check, which the board shows. */
  async checks(from: string, to: string, san: string) {
    await expect(this.page.locator(this.board.check)).toBeHidden();
    await this.plays(from, to, san);
    await expect(this.page.locator(this.board.check)).toBeVisible();
  }

  /** react-chessboard's library for drags swallows clicks for 50 ms after a drop: this timer ends after its own. */
  private async click(button: Locator) {
    await this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    await button.click();
  }

  /** Does the board show the position after this move? */
  async follows(san: string) {
    this.chess.move(san);
    await this.shows();
  }

  /** Does the board show these pieces? */
  async shows(pieces = this.chess.fen().split(" ")[0]) {
    await expect.poll(() => this.placement(), { intervals: [50] }).toBe(pieces);
  }

  /** Drags with the mouse, a little at first, as a hand does. */
  async drag(from: string, to: string) {
    const start = await this.middle(from);
    const { mouse } = this.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(start.x + 8, start.y + 8, { steps: 2 });
    await this.hangs(to, (x, y) => mouse.move(x, y, { steps: 3 }));
    await mouse.up();
  }

  /** Drags with a finger. */
  async slide(from: string, to: string) {
    const start = await this.middle(from);
    const client = await this.page.context().newCDPSession(this.page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
      client.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", start);
    await send("touchMove", { x: start.x + 8, y: start.y + 8 });
    await this.hangs(to, (x, y) => send("touchMove", { x, y }));
    await send("touchEnd");
  }

  /** Moves a piece until the board shows it over a square: a busy browser merges moves, and draws late. */
  private async hangs(square: string, move: (x: number, y: number) => Promise<unknown>) {
    const { x, y } = await this.middle(square);
    const { over } = this.board;
    let aside = 0;
    await expect(async () => {
      await move(x + aside++ % 2, y);
      if (over === undefined) return;
      await expect(this.page.locator(`[data-square=${square}]${over}`)).toBeVisible({ timeout: 500 });
    }).toPass({ intervals: [50] });
  }

  /** The middle of a square on the screen. */
  private async middle(square: string) {
    const { x, y, width } = (await this.page.locator(this.board.squares).boundingBox())!;
    const size = width / 8;
    return { x: x + (square.charCodeAt(0) - 96.5) * size, y: y + (8.5 - Number(square[1])) * size };
  }

  /** The placement of the pieces that one sees, as in FEN. */
  private async placement(): Promise<string> {
    const seen = await this.page.evaluate(({ squares, pieces }) => {
      const board = document.querySelector(squares)?.getBoundingClientRect();
      if (board === undefined) return [];
      return [...document.querySelectorAll(pieces)].map((piece) => {
        const { x, y, width, height } = piece.getBoundingClientRect();
        const column = Math.floor((8 * (x + width / 2 - board.x)) / board.width);
        const row = Math.floor((8 * (y + height / 2 - board.y)) / board.height);
        return { name: piece.getAttribute("data-piece") ?? piece.className, column, row };
      });
    }, this.board);
    const rows = Array.from({ length: 8 }, () => Array<string>(8).fill(""));
    // Two pieces on one square give two letters.
    for (const { name, column, row } of seen) rows[row]![column] += letter(name);
    const text = rows.map((row) => row.map((square) => square || "1").join("")).join("/");
    return text.replace(/1+/g, (empty) => String(empty.length));
  }
}

/** The letter of a piece that a board calls `wN`, `wn` or `white knight`. */
function letter(name: string): string {
  const [color, role] = name.includes(" ") ? name.split(" ") : name;
  const letter = role === "knight" ? "n" : role![0]!;
  return color![0] === "w" ? letter.toUpperCase() : letter.toLowerCase();
}

test.use({ hasTouch: true });

for (const [name, board] of Object.entries({ chessground: CHESSGROUND, "cm-chessboard": CM_CHESSBOARD, "react-chessboard": REACT_CHESSBOARD })) {
  test(`${name}: moves by mouse and touch, refused moves, undo and a variation`, async ({ page, examples }) => {
    const player = new Player(page, board, examples);
    await player.open();
    await player.plays("e2", "e4", "e4");
    await player.refuses("d7", "d4", /cannot reach d4/);
    await player.refuses("d2", "d4", /White's/);
    await player.plays("d7", "d5", "d5");
    await expect(page.locator("#reason")).toHaveText("");
    await player.takesBack("Undo");
    await player.plays("e7", "e5", "e5");
    await player.takesBack("Back");
    await player.plays("c7", "c5", "c5");
    await expect(page.locator("pre")).toContainText("1. e4 e5 (1... c5) *");
    await player.slide("g1", "f3");
    await player.follows("Nf3");
  });

  test(`${name}: en passant, castling by either gesture, promotion and check`, async ({ page, examples }) => {
    const player = new Player(page, board, examples);
    await specialMoves(player);
    await player.refuses("h5", "h4", /check/);
    await player.open("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
    await player.drag("f1", "b1");
    await player.shows("1r3k1r/8/8/8/8/8/8/2KR3R");
  });
}

test("tabiya/chess.js in a program for chess.js", async ({ page, examples }) => {
  const player = new Player(page, CHESS_JS, examples);
  await specialMoves(player, "c8");
  await player.refuses("h5", "h4", /^Invalid move/);
  await player.takesBack("Undo");
  await expect(page.locator("pre")).toContainText("1. exd6 O-O-O 2. O-O Rd7 3. g8=N Rh5 *");
});

/** En passant, castling on the rook or on another square, O-O, a choice of promotion, and a check. */
async function specialMoves(player: Player, castling = "a8") {
  await player.open("r3k2r/6P1/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
  await player.plays("e5", "d6", "exd6");
  await player.plays("e8", castling, "O-O-O");
  await player.plays("e1", "g1", "O-O");
  await player.plays("d8", "d7", "Rd7");
  await player.promotes("g7", "g8", "g8=N");
  await player.plays("h8", "h5", "Rh5");
  await player.checks("a1", "c1", "Rac1+");
}
