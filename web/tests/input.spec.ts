// The one field for text: it recognises everything, says what it has read, and suggests.

import { expect, type Page, test } from "./harness.ts";

const field = (page: Page) => page.getByRole("textbox", { name: "Position, game or moves" });
const fen = (page: Page) => page.getByRole("textbox", { name: "FEN", exact: true });
const answer = (page: Page) => page.locator("#answer");
const line = (page: Page) => page.locator("ol.line button");

const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

/** Texts of each kind, what the page says, and how the FEN begins then. */
const TEXTS: readonly (readonly [string, string | RegExp, RegExp])[] = [
  ["kiwipete", "Read as the name of a position.", /^r3k2r\/p1ppqpb1/],
  [KIWIPETE, "Read as a FEN.", /^r3k2r\/p1ppqpb1/],
  ["4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";", "Read as an EPD; its operations are left out.", /^4k3\/8\/8\/8\/8\/8\/8\/4K2R w K/],
  ["position startpos moves e2e4 e7e5", "Read as a position of UCI. 2 moves played.", /4p3\/4P3/],
  ["startpos moves d2d4", "Read as a position of UCI. 1 move played.", /3P4/],
  [`position fen ${KIWIPETE}`, "Read as a position of UCI.", /^r3k2r/],
  [`https://lichess.org/analysis/standard/${KIWIPETE.replaceAll(" ", "_")}`, "Read from the FEN in the address; nothing was loaded.", /^r3k2r/],
  ["chess960:0", "Read as a number of Chess960.", /^bbqnnrkr/],
  ["1. e4 e5", "Read as a game: 2 plies.", /4p3\/4P3/],
];

test("each kind of text is read, and the page says as what", async ({ explorer: page }) => {
  for (const [text, says, begins] of TEXTS) {
    await write(page, text);
    await expect(answer(page), text).toHaveText(says);
    await expect(fen(page), text).toHaveValue(begins);
    await expect(field(page)).toHaveValue("");
  }
});

test("moves are played from the position on the board, in any notation", async ({ explorer: page }) => {
  await write(page, "e4");
  await write(page, "e7e5 Nf3 2... Nc6");
  await expect(answer(page)).toHaveText("Read as moves: 3 played.");
  await expect(line(page)).toHaveText(["e4", "e5", "Nf3", "Nc6"]);
});

test("mistakes have a place and a suggestion, and change nothing", async ({ explorer: page }) => {
  await write(page, "e4");
  for (const [text, says, wrong] of [
    ["kiwipet", "There is no position of this name. Did you mean kiwipete?", "kiwipet"],
    ["https://lichess.org/study/JDTyWAf7", "This address contains no position. Nothing is loaded from other sites: copy the FEN or the PGN there.", "https://lichess.org/study/JDTyWAf7"],
    ["position startpos moves e2e4 e7e9", /^Expected a rank from 1 to 8/, "9"],
    ["e5 Nf3 Nc6 Nd9", /^Expected a rank from 1 to 8/, "9"],
    ["hello world", /^This is neither a position nor a game nor a move\./, "hello world"],
  ] as const) {
    await write(page, text);
    await expect(answer(page), text).toHaveText(says);
    await expect(answer(page)).toHaveClass(/error/);
    const selected = await field(page).evaluate((input: HTMLTextAreaElement) => input.value.slice(input.selectionStart, input.selectionEnd));
    expect(selected.trim(), text).toBe(wrong);
    await expect(line(page)).toHaveText(["e4"]);
  }
});

test("an empty field is only focused", async ({ explorer: page }) => {
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await expect(field(page)).toBeFocused();
  await write(page, " ");
  await expect(answer(page)).toHaveText("");
});

test("a mistake is forgotten when a move is played or a position is loaded", async ({ explorer: page }) => {
  const square = (name: string) => page.locator(`[role=gridcell][data-square=${name}]`);
  for (const goOn of [
    () => square("e2").dragTo(square("e4")),
    () => page.getByRole("button", { name: "Undo" }).click(),
    () => page.getByRole("combobox", { name: "Positions" }).selectOption("kiwipete").then(() => {}),
  ]) {
    await write(page, "hello world");
    await expect(field(page)).toHaveAttribute("aria-invalid", "true");
    await goOn();
    await expect(answer(page)).not.toHaveClass(/error/);
    await expect(field(page)).not.toHaveAttribute("aria-invalid");
  }
});

test("a program's counts go to the debugger", async ({ explorer: page }) => {
  // The second text finds the debugger open already.
  for (const counts of ["a2a3: 380\nb2b3: 420\n\nNodes searched: 800", "1. a2a3 380\r\n2. b2b3 421\r\n", "Nf3: 440\nO-O: 3"]) {
    await write(page, counts);
    await expect(answer(page), counts).toContainText("These look like a program's counts: the Debugger takes them.");
    await page.getByRole("button", { name: "Open them in the Debugger" }).click();
    await expect(page.locator("#compare-text")).toHaveValue(counts.replaceAll("\r", ""));
    await expect(page.locator(".compare-status")).toHaveAttribute("data-outcome", "differs");
    await expect(field(page)).toHaveValue("");
    await expect(answer(page)).toHaveText("");
    await page.getByRole("tab", { name: "Moves" }).click();
  }
  // Moves and games with numbers are none.
  for (const text of ["1. e4 e5 2. Nf3 Nc6", '[Event "20"]\n\n1. e4\ne5 2', "chess960:0"]) {
    await write(page, text);
    await expect(answer(page), text).not.toContainText("counts");
  }
});

test("the marks of a refused move leave with its reason", async ({ explorer: page }) => {
  await write(page, "e4");
  await write(page, "O-O");
  await expect(page.locator(".grid .mark")).not.toHaveCount(0);
  await write(page, "hello");
  await expect(page.locator(".grid .mark")).toHaveCount(0);
  await write(page, "O-O");
  await expect(page.locator(".grid .mark")).not.toHaveCount(0);
  await write(page, "Nd9");
  await expect(page.locator(".grid .mark")).toHaveCount(0);
});

test("an address of this page is followed", async ({ explorer: page }) => {
  await write(page, `${page.url().split("#")[0]}#fen=kiwipete&panel=moves`);
  await expect(page.getByRole("tab", { name: "Moves" })).toHaveAttribute("aria-selected", "true");
  await expect(fen(page)).toHaveValue(/^r3k2r/);
});
