// Methods step by step, from the user's view.

import { expect, test, type Page } from "./harness.ts";

const METHODS = ["shifts", "classical", "hyperbola", "kogge-stone", "magic", "pext"];
const START_OCCUPIED = 0xffff_0000_0000_ffffn;

/** The squares that a slider attacks, found square by square. */
function attacks(square: string, occupied: bigint, steps: readonly (readonly [number, number])[]): bigint {
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  let set = 0n;
  for (const [files, ranks] of steps) {
    for (let [x, y] = [file + files, rank + ranks]; x >= 0 && x < 8 && y >= 0 && y < 8; x += files, y += ranks) {
      const bit = 1n << BigInt(8 * y + x);
      set |= bit;
      if (occupied & bit) break;
    }
  }
  return set;
}

const ORTHOGONAL = [[0, 1], [1, 0], [0, -1], [-1, 0]] as const;
const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]] as const;
const STEPS = { rook: ORTHOGONAL, bishop: DIAGONAL, queen: [...ORTHOGONAL, ...DIAGONAL] };

const open = (page: Page, settings = "") => page.goto(`./#panel=methods${settings}`);
const heading = (page: Page) => page.locator(".step h2");
const caption = (page: Page) => page.locator(".step .caption");
const value = async (page: Page, set: string) => BigInt((await page.locator(`[data-set="${set}"]`).getAttribute("data-value"))!);
const cell = (page: Page, square: string) => page.locator(`[role=gridcell][data-square="${square}"]`);

test("every method ends with the attacks of the piece", async ({ page }) => {
  await open(page);
  for (const method of METHODS) {
    await page.getByLabel("Method", { exact: true }).selectOption(method);
    for (const role of ["rook", "bishop", "queen"] as const) {
      await page.locator("#method-role").selectOption(role);
      await page.getByRole("button", { name: "Last step" }).click();
      expect(await value(page, "attacks"), `${method} ${role}`).toBe(attacks("d4", START_OCCUPIED, STEPS[role]));
    }
  }
});

test("single steps, the slider and the address agree", async ({ page }) => {
  await open(page);
  await expect(heading(page)).toContainText("Step 1 of 20: The ray, north");
  await expect(page.getByRole("button", { name: "Step back" })).toBeDisabled();
  await page.getByRole("button", { name: "Step forward" }).click();
  await page.getByRole("button", { name: "Step forward" }).click();
  await expect(caption(page)).toHaveText("The blocker nearest to the north is on d7, square number 51.");
  await expect(page.locator(".arithmetic")).toHaveText("first = trailing_zeros(blockers | h8) = 51");
  await expect(page).toHaveURL(/step=3/);
  await page.getByRole("button", { name: "Step back" }).click();
  await expect(heading(page)).toContainText("Step 2 of 20");
  await page.getByRole("slider", { name: "Step" }).fill("20");
  await expect(heading(page)).toContainText("Step 20 of 20");
  await expect(page.getByRole("button", { name: "Step forward" })).toBeDisabled();
  await expect(page).toHaveURL(/step=20/);
  await page.reload();
  await expect(heading(page)).toContainText("Step 20 of 20");
});

test("captions are announced", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Step forward" }).click();
  await expect(page.locator("#announcer")).toContainText("Step 2 of 20. The pieces on the ray: d7 and d8.");
});

test("playing continues to the end, and a pause keeps the step", async ({ page }) => {
  // The test controls the page's clock, so a slow machine misses no step.
  await page.clock.install();
  await open(page, "&method=magic");
  await page.getByLabel("Pace").selectOption("fast");
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole("button", { name: "Play", exact: true }).last().click();
  await page.clock.runFor(600);
  await expect(heading(page)).toContainText("Step 2 of 7");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.clock.runFor(5_000);
  await expect(heading(page)).toContainText("Step 2 of 7");
  await page.locator(".player .play").click();
  await page.clock.runFor(5_000);
  await expect(heading(page)).toContainText("Step 7 of 7");
  await expect(page.locator(".player .play")).toHaveText("Play");
  await expect(page).toHaveURL(/step=7/);
});

test("blockers and the piece are set by clicks and by the keyboard", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Remove all" }).click();
  // The board's own pieces are still there, but do not block.
  await expect(cell(page, "d7").locator(".piece.absent")).toHaveCount(1);
  await cell(page, "d6").click();
  await expect(cell(page, "d6").locator(".piece.blocker")).toHaveCount(1);
  await cell(page, "e4").focus();
  await page.keyboard.press("ArrowRight");
  await expect(cell(page, "f4")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(cell(page, "f4").locator(".piece.blocker")).toHaveCount(1);
  const occupied = (1n << 43n) | (1n << 29n);
  await page.getByRole("button", { name: "Last step" }).click();
  expect(await value(page, "attacks")).toBe(attacks("d4", occupied, ORTHOGONAL));
  // The piece is taken up and put down, or dragged.
  await cell(page, "d4").click();
  await cell(page, "c3").click();
  await expect(cell(page, "c3").locator(".piece.slider")).toHaveCount(1);
  await cell(page, "c3").dragTo(cell(page, "a1"));
  await page.getByRole("button", { name: "Last step" }).click();
  expect(await value(page, "attacks")).toBe(attacks("a1", occupied, ORTHOGONAL));
  await page.reload();
  expect(await value(page, "attacks")).toBe(attacks("a1", occupied, ORTHOGONAL));
  await page.getByRole("button", { name: "The board's own pieces" }).click();
  await expect(page.locator(".piece.absent, .piece.blocker")).toHaveCount(0);
  await expect(cell(page, "a2").locator(".piece")).toHaveCount(1);
});

test("pawns have a colour, and only shifts support leapers", async ({ page }) => {
  await open(page, "&method=shifts&role=pawn&at=e4");
  const color = page.getByLabel("Colour of the pawn");
  await page.getByRole("button", { name: "Last step" }).click();
  expect(await value(page, "attacks")).toBe((1n << 35n) | (1n << 37n));
  await color.selectOption("black");
  await page.getByRole("button", { name: "Last step" }).click();
  expect(await value(page, "attacks")).toBe((1n << 19n) | (1n << 21n));
  await page.getByLabel("Method", { exact: true }).selectOption("pext");
  await expect(color).toBeHidden();
  await expect(page.locator("#method-role option")).toHaveText(["bishop", "rook", "queen"]);
});

test("an invalid address shows the first step", async ({ page }) => {
  await open(page, "&method=telepathy&role=tower&at=z9&occupied=xyz&step=-7");
  await expect(heading(page)).toContainText("Step 1 of 20: The ray, north");
  await open(page, "&method=magic&step=999");
  await page.reload();
  await expect(heading(page)).toContainText("Step 7 of 7");
});

test("the sets of a step are on the main board, with a legend", async ({ page }) => {
  await open(page, "&method=classical&at=d4&step=2");
  await expect(page.locator(".legend")).toContainText("blockers");
  for (const square of ["d7", "d8"]) await expect(cell(page, square).locator(".mark")).not.toHaveCount(0);
  await expect(page.locator(".bits .pattern .one")).toHaveCount(2);
  await page.getByRole("tab", { name: "Moves" }).click();
  await expect(page.locator(".piece.slider")).toHaveCount(0);
});

test("another panel and back shows the same step", async ({ page }) => {
  await page.clock.install();
  await open(page, "&method=magic");
  await page.getByLabel("Pace").selectOption("fast");
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.locator(".player .play").click();
  await page.clock.runFor(1_100);
  await expect(heading(page)).toContainText("Step 3 of 7");
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.clock.runFor(5_000);
  await page.getByRole("tab", { name: "Methods" }).click();
  await expect(heading(page)).toContainText("Step 3 of 7");
});

test("the controls stay where they are from step to step", async ({ page }) => {
  await open(page, "&method=magic");
  const forward = page.getByRole("button", { name: "Step forward" });
  await expect(forward).toBeVisible();
  const top = async () => (await forward.boundingBox())!.y;
  const first = await top();
  for (let step = 2; step <= 7; step++) {
    await forward.click();
    await expect(heading(page)).toContainText(`Step ${step} of 7`);
    expect(await top()).toBe(first);
  }
});

test("a magic multiplication is a sum of copies on the board, one for each blocker", async ({ page }) => {
  await open(page, "&method=magic&fen=4k3/8/1p1p4/8/1P1R2p1/8/8/3K4_w_-_-_0_1&step=2");
  const blockers = [25n, 30n, 43n];
  const cells = (selector: string) => page.locator(`[role=gridcell]:has(${selector})`).evaluateAll((all) => all.map((it) => it.getAttribute("data-square")!));
  const bits = async (selector: string) => {
    const squares = await cells(selector);
    return squares.reduce((set, square) => set | (1n << BigInt(8 * (Number(square[1]) - 1) + square.charCodeAt(0) - 97)), 0n);
  };
  const colors = (square: string) => cell(page, square).locator(".bit > span").evaluateAll((all) => all.map((it) => it.className));
  // Every blocker has a colour of its own.
  await expect(heading(page)).toContainText("Step 2 of 8");
  expect(await cells(".bit.place")).toEqual(["d6", "b4", "g4"]);
  const own = (await Promise.all(["b4", "g4", "d6"].map(colors))).flat();
  expect(new Set(own).size).toBe(3);
  const forward = page.getByRole("button", { name: "Step forward" });
  await forward.focus();
  await page.keyboard.press("Enter");
  await expect(heading(page)).toContainText("Step 3 of 8: The magic number");
  const magic = await bits(".bit");
  let sum = 0n;
  for (const [step, blocker] of blockers.entries()) {
    await page.keyboard.press("Enter");
    await expect(heading(page)).toContainText(`Step ${step + 4} of 8`);
    const copy = BigInt.asUintN(64, magic << blocker);
    const next = BigInt.asUintN(64, sum + copy);
    expect(await bits(".bit")).toBe(next);
    // Two bits of a place make one of the next.
    expect(await bits(".carries")).toBe((sum & copy) | ((sum | copy) & ~next));
    await expect(page.locator(".copies [aria-current=step]")).toContainText(`<< ${blocker}`);
    if (step === 0) for (const square of await cells(".bit")) expect(await colors(square)).toEqual([own[0]]);
    sum = next;
  }
  await expect(cell(page, "d6")).toHaveAttribute("aria-label", /the blocker of this copy/);
  await expect(cell(page, "f6")).toHaveAttribute("aria-label", "f6, empty, 1 from b4 + d6");
  await page.keyboard.press("Enter");
  const index = BigInt.asUintN(64, sum) >> 54n;
  await expect(caption(page)).toContainText(`in binary, ${index}.`);
  await expect(page.getByRole("list", { name: `The index ${index}, bit by bit` }).locator("li")).toHaveText(
    [...index.toString(2).padStart(10, "0")].map((bit) => new RegExp(bit === "1" ? ": 1 from [b-g][46]" : ": 0")),
  );
  expect(await bits(".bit:not(.quiet)")).toBe(index << 54n);
  // A bit of the index has the colours of its blockers on the board and in the list.
  const first = page.locator(".index-bits li:has(.bit)").first();
  const square = (await first.getAttribute("data-bit"))!;
  expect(await first.locator(".bit > span").evaluateAll((all) => all.map((it) => it.className))).toEqual(await colors(square));
  await page.keyboard.press("Enter");
  expect(await value(page, "attacks")).toBe(attacks("d4", (1n << 25n) | (1n << 30n) | (1n << 43n), ORTHOGONAL));
  expect(await bits(".mark.tint")).toBe(await value(page, "attacks"));
});
