// The page as a whole: themes, a narrow screen, the keyboard, and invalid addresses.

import { expect, type Page, test } from "./harness.ts";

const PANELS = ["layers", "moves", "methods", "calculator", "perft", "compare", "lessons"] as const;

const square = (page: Page, name: string) => page.locator(`[role=gridcell][data-square=${name}]`);
/** The first FEN field of the page. */
const fen = (page: Page) => page.getByRole("textbox", { name: "FEN", exact: true });

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the board has 64 labelled squares", async ({ explorer }) => {
  await expect(explorer.getByRole("gridcell")).toHaveCount(64);
  await expect(square(explorer, "e1")).toHaveAttribute("aria-label", /e1.*white king/i);
});

test("an empty address shows a check, a pin and why a move is illegal", async ({ page, open }) => {
  await open("");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("See what a move generator sees");
  await expect(page.locator("#answer")).toContainText("exd6 is not legal: the pawn on e7 is pinned on the e-file by the queen on e2");
  await expect(page.locator(".arrow.bad")).toHaveCount(1);
  await expect(page.locator(".square.check")).toHaveAttribute("data-square", "e8");
  await expect(page.getByRole("tab").first()).toHaveText("Lessons");
  expect(new URL(page.url()).hash).toBe("");
  // The usual position keeps its place in the address, and the name of the page leads back.
  await page.getByRole("link", { name: "Start position" }).click();
  await expect(page).toHaveURL(/#fen=startpos$/);
  await expect(page.locator("#answer")).toHaveText("");
  await page.reload();
  await expect(fen(page)).toHaveValue(/^rnbqkbnr/);
  await expect(page.locator(".starts")).toBeHidden();
  await page.getByRole("link", { name: "tabiya" }).click();
  await expect(page.locator("#answer")).toContainText("pinned");
});

test("the three starts lead where they say, in the theme that was chosen", async ({ page, open }) => {
  const begin = async (name: string) => {
    await open("");
    await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
    await page.getByRole("link", { name }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator(".starts")).toBeHidden();
  };
  await begin("Why is this illegal?");
  await expect(page.locator("#answer")).toContainText("the king would pass through f1, which the bishop on a6 attacks");
  await begin("Find my bug");
  await expect(page.getByRole("tab", { name: "Debugger" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".diagnosis")).toHaveAttribute("data-class", "en-passant-pin-rank");
  await expect(page.locator(".compare-status")).toContainText("1 illegal move");
  await page.getByRole("button", { name: "Paste your own" }).click();
  await expect(page.getByRole("textbox", { name: "What it prints" })).toBeFocused();
  await expect(page.locator(".question")).toContainText("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  await begin("Learn");
  await expect(page.locator(".lesson h2")).toContainText("Bitboards");
  await expect(page.locator(".grid .mark")).toHaveCount(16);
});

test("the answer of an address ends with its position, and Back brings it again", async ({ page, open }) => {
  await open("#fen=4r2k/8/8/8/8/8/4B3/4K3_w_-_-_0_1&ask=e2d3");
  await expect(page.locator("#answer")).toContainText("is pinned on the e-file");
  await page.getByRole("tab", { name: "Moves" }).click();
  await expect(page.locator("#answer")).toHaveText("");
  await expect(page).not.toHaveURL(/ask=/);
  await page.goBack();
  await expect(page.locator("#answer")).toContainText("is pinned on the e-file");
  await open("#ask=e4");
  await expect(page.locator("#answer")).toHaveText("e4 is legal.");
});

test("an address with a position opens it with its layers", async ({ page, open }) => {
  await open("#fen=kiwipete");
  await expect(page.getByRole("tab", { name: "Layers" })).toHaveAttribute("aria-selected", "true");
  await expect(fen(page)).toHaveValue(/^r3k2r/);
  await expect(page.locator("#answer")).toHaveText("");
  await expect(page.locator(".starts")).toBeHidden();
});

test("an opening has its name, and keeps it", async ({ explorer: page }) => {
  const field = page.getByRole("textbox", { name: "Position, game or moves" });
  await field.fill("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h4 h5");
  await field.press("Enter");
  await expect(page.locator(".opening")).toHaveText(/^B9\d Sicilian Defense: Najdorf Variation/);
  await page.getByRole("button", { name: "First position" }).click();
  await expect(page.locator(".opening")).toBeHidden();
});

test("a telephone shows what the page is, the board, the reason and the starts at once", async ({ page, open }) => {
  for (const [width, height, tabs] of [[844, 390, 0], [390, 844, 48]] as const) {
    await page.setViewportSize({ width, height });
    await open("");
    await expect(page.locator("#answer")).toContainText("pinned");
    for (const part of ["h1", ".board", "#answer", "[data-start=why]", "[data-start=bug]", "[data-start=learn]"]) {
      const box = (await page.locator(part).boundingBox())!;
      expect(box.y, part).toBeGreaterThanOrEqual(0);
      expect(box.height, part).toBeGreaterThan(10);
      expect(box.y + box.height, part).toBeLessThanOrEqual(height - tabs);
    }
  }
  await expect(page.getByRole("button", { name: "Copy the FEN" })).toBeVisible();
  const low = await page.locator("button, select, .starts a").evaluateAll((all) => all.filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 40).map((it) => it.outerHTML));
  expect(low).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`the ${scheme} theme follows the system, and can be chosen`, async ({ page, open }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await open("#fen=startpos");
    const followed = await background(page);
    await page.emulateMedia({ colorScheme: scheme === "light" ? "dark" : "light" });
    expect(await background(page)).not.toBe(followed);
    await open(`#theme=${scheme}`);
    await expect.poll(() => background(page)).toBe(followed);
  });
}

for (const panel of PANELS) {
  test(`${panel} fits a screen of 360 pixels`, async ({ page, open }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await open(`#panel=${panel}`);
    await expect(page.locator(`#panel-${panel}`)).toBeVisible();
    await expect(page.locator(`#panel-${panel}`)).not.toBeEmpty();
    const wide = await page.evaluate(() => {
      const root = document.documentElement;
      const names = [...document.querySelectorAll("body *")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > root.clientWidth + 1;
      });
      return { width: root.scrollWidth, screen: root.clientWidth, names: names.slice(0, 5).map((it) => it.outerHTML.slice(0, 120)) };
    });
    expect(wide.width, wide.names.join("\n")).toBeLessThanOrEqual(wide.screen);
  });
}

test("a game is played by the keyboard alone", async ({ explorer: page }) => {
  // The arrow keys start from the focused square.
  const go = async (from: string, to: string) => {
    const files = to.charCodeAt(0) - from.charCodeAt(0);
    const ranks = to.charCodeAt(1) - from.charCodeAt(1);
    for (let step = 0; step < Math.abs(files); step++) await page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
    for (let step = 0; step < Math.abs(ranks); step++) await page.keyboard.press(ranks > 0 ? "ArrowUp" : "ArrowDown");
    await expect(square(page, to)).toBeFocused();
  };
  for (let presses = 0; !(await page.locator("[role=gridcell]:focus").count()); presses++) {
    expect(presses).toBeLessThan(40);
    await page.keyboard.press("Tab");
  }
  let here = (await page.locator("[role=gridcell]:focus").getAttribute("data-square"))!;
  for (const [from, to] of [["f2", "f3"], ["e7", "e5"], ["g2", "g4"], ["d8", "h4"]] as const) {
    await go(here, from);
    await page.keyboard.press("Enter");
    await go(from, to);
    await page.keyboard.press("Enter");
    await expect(square(page, from)).toHaveAttribute("aria-label", /empty/i);
    here = to;
  }
  await expect(fen(page)).toHaveValue(/^rnb1kbnr\/pppp1ppp\/8\/4p3\/6Pq\/5P2\/PPPPP2P\/RNBQKBNR w KQkq/);
  await expect(page.locator("main")).toContainText("checkmate");
});

test("an invalid address still shows a board", async ({ page, open }) => {
  for (const fragment of ["#fen=x", "#fen=8/8/8/8/8/8/8/8_w_-_-_0_1", "#moves=e2e5", "#panel=nothing&layers=nothing&square=z9", `#fen=${"x".repeat(100_000)}`, "#%&=%zz=%"]) {
    await open(fragment);
    await expect(page.getByRole("gridcell")).toHaveCount(64);
  }
});

test("a page that cannot start shows an error", async ({ page, server, problems }) => {
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(server.address);
  await expect(page.locator("body")).toContainText("The page cannot start");
  // The browser reports the missing file in the console, as expected here.
  expect(problems.join()).toContain("404");
  problems.length = 0;
});
