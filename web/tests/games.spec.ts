// Games with variations: shown, stepped through, continued, chosen, broken.

import { expect, type Page, test } from "./harness.ts";

const field = (page: Page) => page.getByRole("textbox", { name: "Position, game or moves" });
const fen = (page: Page) => page.getByRole("textbox", { name: "FEN", exact: true });
const square = (page: Page, name: string) => page.locator(`[role=gridcell][data-square=${name}]`);
const tree = (page: Page) => page.getByRole("list", { name: "Game", exact: true });
const here = (page: Page) => page.locator(".tree [aria-current]");
const move = (page: Page, san: string) => tree(page).getByRole("button", { name: san, exact: true });

/** A game with variations, comments, signs, times and an evaluation. */
const GAME = `[Event "Club"]
[White "Fool"]
[Black "Scholar"]

{Two gambits.} 1. e4 {[%clk 0:05:01][%eval 0.3] best by test} e5 $1 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6?! {French}) 2. f4 exf4 $16 1-0`;

async function paste(page: Page, pgn: string): Promise<void> {
  await field(page).evaluate((input, text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    input.focus();
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, pgn);
  // The code that reads games is loaded first.
  await expect(page.locator("#answer")).toContainText("Read as");
}

test("a game is shown with its variations, comments and signs", async ({ explorer: page }) => {
  await paste(page, GAME);
  await expect(page.locator("#answer")).toHaveText("Read as Fool – Scholar, 1-0: 4 plies, 3 variations.");
  const text = (await tree(page).innerText()).replace(/\s+/g, " ").trim();
  expect(text).toBe("Two gambits. 1. e4 best by test 1… e5! 1… c5 2. Nf3 2. c3 d5 2… d6 1… e6?! French 2. f4 exf4± 1-0");
  await expect(page.locator(".tree > .variations")).toHaveCount(1);
  await expect(page.locator(".tree > .variations > ul > li")).toHaveCount(2);
  await expect(page.locator(".tree .variations .variations > ul > li")).toHaveText(["2.c3d5"]);
  await expect(move(page, "e4")).toHaveAttribute("title", "+0.30, 0:05:01 left");
  // It is read from its beginning.
  await expect(fen(page)).toHaveValue(/^rnbqkbnr\/pppppppp\/8\/8\/8/);
  await expect(here(page)).toHaveCount(0);
});

test("a click on any move shows its position, and the line goes on from there", async ({ explorer: page }) => {
  await paste(page, GAME);
  await move(page, "c3").click();
  await expect(fen(page)).toHaveValue("rnbqkbnr/pp1ppppp/8/2p5/4P3/2P5/PP1P1PPP/RNBQKBNR b KQkq - 0 2");
  await expect(here(page)).toHaveText("c3");
  await page.getByRole("button", { name: "Last move" }).click();
  await expect(here(page)).toHaveText("d5");
  await page.getByRole("button", { name: "Previous move" }).click();
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(here(page)).toHaveText("c5");
});

test("the arrow keys step along the line and between variations", async ({ explorer: page }) => {
  await paste(page, GAME);
  await page.locator(".status").click();
  await page.keyboard.press("ArrowRight");
  await expect(here(page)).toHaveText("e4");
  await page.keyboard.press("ArrowRight");
  await expect(here(page)).toHaveText("e5!");
  await page.keyboard.press("ArrowDown");
  await expect(here(page)).toHaveText("c5");
  await expect(page.locator("#announcer")).toHaveText("c5. White to move One of 3 moves here.");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(here(page)).toHaveText("c3");
  await page.keyboard.press("ArrowUp");
  await expect(here(page)).toHaveText("Nf3");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowDown");
  await expect(here(page)).toHaveText("e6?!");
  await page.keyboard.press("ArrowDown");
  await expect(here(page)).toHaveText("e6?!");
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowLeft");
  await expect(here(page)).toHaveCount(0);
  // The line that was chosen last goes on.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(here(page)).toHaveText("e6?!");
});

test("a click on the board leaves the arrow keys to the line, and Tab gives them back", async ({ explorer: page }) => {
  await paste(page, GAME);
  await square(page, "a3").click();
  await page.keyboard.press("ArrowRight");
  await expect(here(page)).toHaveText("e4");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(square(page, "a3")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(square(page, "b3")).toBeFocused();
  await expect(here(page)).toHaveText("e4");
});

test("the focus follows the moves, which are one stop of the Tab key", async ({ explorer: page }) => {
  await paste(page, GAME);
  await move(page, "e4").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await expect(move(page, "e5!")).toBeFocused();
  expect(await page.locator(".tree [tabindex='0']").count()).toBe(1);
  await page.keyboard.press("Tab");
  await expect(page.locator(".tree :focus")).toHaveCount(0);
});

test("a move that the game does not have becomes a variation, and can be undone", async ({ explorer: page }) => {
  await paste(page, GAME);
  await move(page, "e4").click();
  await square(page, "d7").click();
  await square(page, "d5").click();
  await expect(here(page)).toHaveText("d5");
  await expect(page.locator(".tree > .variations > ul > li")).toHaveCount(3);
  // A move of the game is no new variation.
  await page.keyboard.press("ArrowLeft");
  await square(page, "c7").click();
  await square(page, "c5").click();
  await expect(here(page)).toHaveText("c5");
  await expect(page.locator(".tree > .variations > ul > li")).toHaveCount(3);
  await page.getByRole("button", { name: "Next move" }).click();
  await expect(here(page)).toHaveText("Nf3");
  await page.keyboard.press("Control+z");
  await expect(page.locator(".tree > .variations > ul > li")).toHaveCount(2);
  await page.keyboard.press("Control+y");
  await expect(page.locator(".tree > .variations > ul > li")).toHaveCount(3);
  await page.reload();
  await expect(page.locator(".tree > .variations > ul > li")).toHaveCount(3);
});

test("moves can be written into a game", async ({ explorer: page }) => {
  await paste(page, GAME);
  await field(page).fill("1. e4 e6 2. d4 d5");
  await field(page).press("Enter");
  // With the number of the first move it is a game of its own.
  await expect(page.locator("#answer")).toHaveText("Read as a game: 4 plies.");
  await expect(here(page)).toHaveText("d5");
  await move(page, "e4").click();
  await field(page).fill("c5 Nf3");
  await field(page).press("Enter");
  await expect(page.locator("#answer")).toHaveText("Read as moves: 2 played.");
  await expect(here(page)).toHaveText("Nf3");
  await expect(page.locator(".tree > .variations > ul > li")).toHaveText(["1…c52.Nf3"]);
});

test("the address and Back keep the game and the place in it", async ({ explorer: page }) => {
  await paste(page, GAME);
  await move(page, "c3").click();
  await page.reload();
  await expect(here(page)).toHaveText("c3");
  await expect(move(page, "e6?!")).toBeVisible();
  await page.getByRole("combobox", { name: "Positions" }).selectOption("kiwipete");
  await expect(page.locator(".tree")).toBeHidden();
  await expect(page).not.toHaveURL(/pgn=/);
  await page.goBack();
  await expect(here(page)).toHaveText("c3");
});

test("a game that is too long for the address outlives a reload", async ({ explorer: page }) => {
  const long = `1. e4 {${"A long story. ".repeat(3000)}} e5 (1... c5) 2. Nf3 *`;
  await paste(page, long);
  await move(page, "c5").click();
  await expect(page).toHaveURL(/pgn=kept/);
  await page.reload();
  await expect(here(page)).toHaveText("c5");
  await expect(move(page, "Nf3")).toBeVisible();
});

test("one of several games is chosen", async ({ explorer: page }) => {
  await paste(page, `${GAME}\n\n[White "A"]\n[Black "?"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 (1. e3) *\n\n1. d4 Nf6 2. Nf5 *\n`);
  await expect(page.locator("#answer")).toHaveText("Read as 3 games. The first is Fool – Scholar, 1-0: 4 plies, 3 variations.");
  const choice = page.getByRole("combobox", { name: "Game to show" });
  await expect(choice.locator("option")).toHaveText(["1. Fool – Scholar, 1-0", "2. A", "3. a game (breaks off)"]);
  await choice.selectOption({ index: 1 });
  await expect(fen(page)).toHaveValue("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  await move(page, "e3").click();
  await expect(fen(page)).toHaveValue("4k3/8/8/8/8/4P3/8/4K3 b - - 0 1");
  await page.reload();
  await expect(here(page)).toHaveText("e3");
  await expect(choice).toHaveValue("1");
  await choice.selectOption({ index: 2 });
  await expect(page.locator(".tree .problem")).toContainText(/^✗ ply 3 \(2\. Nf5\)/);
  // Back returns to the game before.
  await page.goBack();
  await expect(here(page)).toHaveText("e3");
});

test("a broken game says where, selects the place, and keeps what is right", async ({ explorer: page }) => {
  await paste(page, "1. e4 (1. d4 d5\n2. Ke5 Nf6) e5 2. Nf3 *");
  await expect(page.locator("#answer")).toContainText("Read as a game of 3 plies. It breaks off at line 2, column 4: ply 3 (2. Ke5): Ke5 is not legal");
  await expect(page.locator("#answer")).toHaveClass(/error/);
  const selected = await field(page).evaluate((input: HTMLTextAreaElement) => input.value.slice(input.selectionStart, input.selectionEnd));
  expect(selected).toBe("Ke5");
  await expect(page.locator(".tree .variations .problem")).toContainText(/^✗ ply 3 \(2\. Ke5\): Ke5 is not legal.*; not read: 2\. Ke5 Nf6$/);
  await move(page, "d5").click();
  await expect(fen(page)).toHaveValue(/^rnbqkbnr\/ppp1pppp\/8\/3p4\/3P4/);
  await move(page, "Nf3").click();
  await expect(fen(page)).toHaveValue(/5N2/);
  // Corrected in the field, the game is whole.
  await field(page).fill("1. e4 (1. d4 d5\n2. Kd2 Nf6) e5 2. Nf3 *");
  await field(page).press("Enter");
  await expect(page.locator("#answer")).toHaveText("Read as a game: 3 plies, 1 variation.");
  await expect(page.locator(".tree .problem")).toHaveCount(0);
});

test("moves after a null move are shown, but not their positions", async ({ explorer: page }) => {
  await paste(page, "1. e4 -- 2. d4 (2. Nf3) *");
  await expect(page.locator("#answer")).toHaveText("Read as a game: 1 ply, 1 variation.");
  for (const san of ["--", "d4", "Nf3"]) {
    await expect(move(page, san)).toHaveAttribute("aria-disabled", "true");
    await expect(move(page, san)).toHaveAttribute("title", "After a null move there is no position to show.");
  }
  // The main line ends before it.
  await expect(here(page)).toHaveText("e4");
});

test("variations nested deeper than a reader allows, and thousands of games, are answered", async ({ explorer: page }) => {
  await paste(page, `${"1. e4 (1. d4 ".repeat(300)}${")".repeat(300)} *`);
  await expect(page.locator("#answer")).toContainText("breaks off");
  await field(page).fill("");
  await paste(page, Array.from({ length: 3000 }, (_, index) => `[White "P${index}"]\n\n1. e4 e5 *\n`).join("\n"));
  await expect(page.locator("#answer")).toContainText("Read as 3,000 games. The first is P0: 2 plies.");
  await expect(page.getByText("The first 1,000 of 3,000 games.")).toBeVisible();
  await move(page, "e5").click();
  await expect(page.locator(".status")).toHaveText("White to move");
});

test("an address with a text that is no game shows the position", async ({ open }) => {
  const page = await open("#fen=kiwipete&pgn=hello");
  await expect(fen(page)).toHaveValue(/^r3k2r/);
  await square(page, "e2").click();
  await square(page, "d3").click();
  await expect(page.locator("ol.line button")).toHaveCount(1);
  await expect(page).not.toHaveURL(/pgn=/);
});

const MARKED = "{[%csl Bd4][%cal Ge2e4]} 1. e4 {[%csl Ge5,Rd5,Gf5][%cal Rd7d5,Yc7c5] which?} e5 (1... c5 {[%cal Rc5d4]}) 2. Nf3 *";

test("the squares and arrows of a comment are drawn, named and read aloud", async ({ explorer: page }) => {
  await paste(page, `[White "A"]\n\n${MARKED}`);
  const rings = (color: number) => page.locator(`.square .mark.ring.color-${color}`);
  const marked = page.locator(".legend .marks li", { hasText: "in the game" });
  await expect(rings(2)).toHaveCount(1);
  await expect(page.locator(".arrow")).toHaveClass("arrow green");
  await move(page, "e4").click();
  await expect(rings(2)).toHaveCount(0);
  await expect(rings(4)).toHaveCount(2);
  await expect(rings(3)).toHaveCount(1);
  await expect(page.locator(".arrow")).toHaveCount(2);
  await expect(page.locator(".arrow.yellow .shaft")).toHaveAttribute("d", /^M2\.5 1\.5L2\.5 2\.9/);
  await expect(marked).toHaveText(["green in the game", "red in the game"]);
  await expect(square(page, "f5")).toHaveAttribute("aria-label", /green in the game/);
  await expect(page.locator("#announcer")).toContainText("which? Marked green: e5, f5. Marked red: d5. Arrow in red: d7 to d5. Arrow in yellow: c7 to c5.");
  await square(page, "d5").hover();
  await expect(page.locator(".why")).toContainText("red in the game");
  // The comment itself shows no commands.
  await expect(tree(page)).not.toContainText("%");
  // They turn with the board.
  await page.getByRole("button", { name: "Flip" }).click();
  await expect(page.locator(".arrow.yellow .shaft")).toHaveAttribute("d", /^M5\.5 6\.5L5\.5 5\.1/);
  await page.getByRole("button", { name: "Next move" }).click();
  await expect(page.locator(".arrow, .square .ring")).toHaveCount(0);
  await expect(marked).toHaveCount(0);
});

test("a reason or a method stands in front of what a game has marked, and both leave with their position", async ({ explorer: page }) => {
  await paste(page, `[White "A"]\n\n${MARKED}`);
  await move(page, "c5").click();
  await expect(page.locator(".arrow.red")).toHaveCount(1);
  await square(page, "a1").dragTo(square(page, "a4"));
  await expect(page.locator(".arrow")).toHaveCount(2);
  await expect(page.locator(".arrow.bad")).toHaveCount(1);
  // The board of a method has its own squares and pieces.
  await page.getByRole("tab", { name: "Methods" }).click();
  await expect(page.locator(".arrow, .square .ring")).toHaveCount(0);
  await page.getByRole("tab", { name: "Moves" }).click();
  await expect(page.locator(".arrow.red")).toHaveCount(1);
  await page.reload();
  await expect(page.locator(".arrow.red")).toHaveCount(1);
  await page.getByRole("combobox", { name: "Positions" }).selectOption("kiwipete");
  await expect(page.locator(".arrow, .square .ring")).toHaveCount(0);
});

for (const [width, height] of [[1280, 800], [390, 844], [844, 390]] as const) {
  test(`a long game leaves the board whole and the tabs in sight at ${width} × ${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    await open("#fen=startpos");
    const knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(60).trim();
    await paste(page, `1. e4 e5 (1... c5 2. Nf3) ${knights} {the end} *`);
    await expect(here(page)).toHaveText("Ng8");
    await expect(here(page)).toBeInViewport();
    const board = (await page.locator(".board").boundingBox())!;
    expect(board.y).toBeGreaterThanOrEqual(0);
    expect(board.y + board.height).toBeLessThanOrEqual(height);
    if (width > height && height > 500) await expect(page.getByRole("tablist")).toBeInViewport();
  });
}
