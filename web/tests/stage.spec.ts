// The board as the stage: its size, the verdict beside it, Back, promotions, telephones.

import { expect, type Page, test } from "./harness.ts";

const square = (page: Page, name: string) => page.locator(`[role=gridcell][data-square=${name}]`);

/** The sizes of windows, and the least part of the shorter side that the board fills. */
const SIZES = [
  [1280, 800, 0.85],
  [1920, 1080, 0.85],
  [2560, 1440, 0.85],
  [844, 390, 0.85],
  [390, 844, 0.9],
] as const;

for (const [width, height, part] of SIZES) {
  test(`the board fills ${width} × ${height} and can be seen whole`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    await open("#fen=startpos");
    const box = (await page.locator(".board").boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.width).toBeGreaterThanOrEqual(part * Math.min(width, height));
    expect(Math.abs(box.width - box.height)).toBeLessThan(1);
  });

  test(`the reason of an illegal move is in sight at ${width} × ${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    await open("#fen=4r2k/8/8/8/8/8/4B3/4K3_w_-_-_0_1");
    await square(page, "e2").dragTo(square(page, "d3"));
    await expect(page.locator("#answer")).toContainText("is pinned on the e-file");
    const box = (await page.locator("#answer").boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(await page.evaluate(() => innerHeight));
    expect(box.y).toBeGreaterThanOrEqual(0);
  });
}

test("on a telephone the board and the verdict stay while the panel scrolls", async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open("#layers=checkers,pinned,king-danger,white,black");
  await expect(page.locator(".layer")).toHaveCount(5);
  await page.mouse.move(200, 700);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
  const inSight = async (selector: string) => {
    const box = (await page.locator(selector).boundingBox())!;
    return box.y >= -1 && box.y + box.height <= 845;
  };
  for (const selector of [".board", ".status", "[role=tablist]"]) expect(await inSight(selector), selector).toBe(true);
});

test("Back returns to the panel and the position before, and stays in the page", async ({ explorer: page }) => {
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.getByRole("combobox", { name: "Positions" }).selectOption("kiwipete");
  await square(page, "e2").click();
  await page.goBack();
  await expect(page.getByRole("textbox", { name: "FEN", exact: true })).toHaveValue(/^rnbqkbnr/);
  await expect(page.getByRole("tab", { name: "Moves" })).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Layers" })).toHaveAttribute("aria-selected", "true");
  await page.goForward();
  await page.goForward();
  await expect(page.getByRole("textbox", { name: "FEN", exact: true })).toHaveValue(/^r3k2r/);
});

test("a promotion opens at its square", async ({ page, open }) => {
  for (const [flip, fen] of [["", "4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1"], ["flip=1&", "4k3/8/8/8/8/8/6p1/4K3_b_-_-_0_1"], ["", "4k3/8/8/8/8/8/6p1/4K3_b_-_-_0_1"]] as const) {
    await open(`#${flip}fen=${fen}`);
    const [from, to] = fen.includes("_w_") ? ["a7", "a8"] : ["g2", "g1"];
    await square(page, from).click();
    await square(page, to).click();
    const dialog = (await page.getByRole("dialog").boundingBox())!;
    const at = (await square(page, to).boundingBox())!;
    expect(Math.abs(dialog.x - at.x)).toBeLessThan(2);
    expect(dialog.y).toBeLessThanOrEqual(at.y + at.height);
    expect(dialog.y + dialog.height).toBeGreaterThan(at.y);
    expect(dialog.y + dialog.height).toBeLessThanOrEqual(801);
    await page.getByRole("dialog").getByRole("button", { name: "queen" }).click();
    await expect(page.locator("ol.line button")).toHaveCount(1);
  }
});

test("pointing at a row of a panel moves nothing", async ({ page, open }) => {
  await open("#fen=8/8/8/8/k2Pp2Q/8/8/3K4_b_-_d3_0_1&panel=moves&layers=none");
  const button = page.getByRole("button", { name: "exd3" });
  const before = await button.boundingBox();
  await button.hover();
  await expect(page.locator(".legend")).toContainText("the line that matters");
  expect(await button.boundingBox()).toEqual(before);
});

test("a refusal disappears with its panel, and layers step back behind its line", async ({ page, open }) => {
  await open("#fen=4r2k/8/8/8/8/8/4B3/4K3_w_-_-_0_1");
  await square(page, "e2").dragTo(square(page, "d3"));
  await expect(page.locator("#answer")).toContainText("pinned");
  await expect(page.locator(".grid")).toHaveClass(/explains/);
  await page.getByRole("tab", { name: "Moves" }).click();
  await expect(page.locator("#answer")).toHaveText("");
  await expect(page.locator(".grid")).not.toHaveClass(/explains/);
});

test("the legend forgets the square when the mouse leaves the board", async ({ page, open }) => {
  await open("#layers=attacks:white");
  await square(page, "e3").hover();
  await expect(page.locator(".why")).toContainText("e3:");
  await page.locator(".status").hover();
  await expect(page.locator(".why")).toHaveText("Point at a square, or touch it, to see its sets and why.");
});

for (const [width, height] of [[360, 640], [390, 844], [844, 390], [1280, 800], [1920, 1080]] as const) {
  test(`all tabs and tools are in sight at ${width} × ${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    await open("#edit=1");
    // On a low screen the tabs stand at the edge, and nothing is below them.
    const isLow = height < 540;
    const rail = (await page.getByRole("tablist").boundingBox())!;
    for (const part of [".tools > *", "[role=tab]", ".palette button"]) {
      await expect(page.locator(part).first()).toBeVisible();
      for (const box of await page.locator(part).evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON() as DOMRect))) {
        expect(box.left, part).toBeGreaterThanOrEqual(0);
        expect(box.right, part).toBeLessThanOrEqual(part === "[role=tab]" || !isLow ? width : rail.x);
        expect(box.width, part).toBeGreaterThanOrEqual(24);
      }
    }
    const cut = await page.locator("[role=tab]").evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).length);
    expect(cut).toBe(0);
  });
}

test("only the column next to the board scrolls, and never the page", async ({ page, open }) => {
  for (const [width, height] of [[844, 390], [1280, 800], [1920, 1080]] as const) {
    await page.setViewportSize({ width, height });
    for (const fragment of ["lesson=checks.4", "panel=methods&method=magic", "panel=compare", "edit=1"]) {
      await open(`#${fragment}`);
      await expect(page.locator(".lesson .ask, .step .caption, .compare-form, .palette").filter({ visible: true }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollHeight), fragment).toBe(height);
    }
  }
});

test("on a low screen the tabs are a rail, and the panel begins higher", async ({ page, open }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await open("#layers=attacks:white");
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const [rail, board, panel] = [await box("[role=tablist]"), await box(".board"), await box("#panel-layers")];
  expect(rail.x + rail.width).toBe(844);
  expect(rail.height).toBe(390);
  expect(board.height).toBeGreaterThanOrEqual(366);
  expect(panel.x + panel.width).toBeLessThanOrEqual(rail.x);
  // The hint of the legend has one line.
  expect(await page.locator(".pointed").evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(2);
  // The row of tabs would be above it.
  const above = await box(".legend");
  expect(panel.y - above.y - above.height).toBeLessThanOrEqual(16);
  await page.getByRole("tab", { name: "Layers" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("tab", { name: "Moves" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("tab", { name: "Lessons" })).toBeFocused();
  await expect(page.getByRole("tablist")).toHaveAttribute("aria-orientation", "vertical");
  // A telephone that is turned has the row again.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("tablist")).toHaveAttribute("aria-orientation", "horizontal");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("tab", { name: "Debugger" })).toBeFocused();
});

test("the step of a method is in sight on a telephone", async ({ page, open }) => {
  for (const [width, height] of [[390, 844], [844, 390]] as const) {
    await page.setViewportSize({ width, height });
    await open("#panel=methods&method=magic&step=3&layers=none");
    await expect(page.locator(".step .caption")).toBeInViewport();
    if (width < height) {
      const [caption, tabs] = [(await page.locator(".step .caption").boundingBox())!, (await page.getByRole("tablist").boundingBox())!];
      expect(caption.y + caption.height).toBeLessThanOrEqual(tabs.y);
    }
  }
});

test("the pieces of a promotion stand on the colour of a square", async ({ page, open }) => {
  for (const theme of ["light", "dark"]) {
    await open(`#theme=${theme}&fen=4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1`);
    for (const name of ["a7", "a8"]) await square(page, name).click();
    const color = (selector: string) => page.locator(selector).first().evaluate((it) => getComputedStyle(it).backgroundColor);
    expect(await color(".promotion button[value=rook]")).toBe(await color(".square.light"));
    await page.keyboard.press("Escape");
  }
});

for (const [width, height] of [[1280, 800], [1920, 1080], [844, 390]] as const) {
  test(`the verdict stays while a panel scrolls at ${width} × ${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    await open("#fen=4r2k/8/8/8/8/8/4B3/4K3_w_-_-_0_1&layers=checkers,pinned,king-danger,white,black");
    await expect(page.locator(".layer")).toHaveCount(5);
    await page.locator(".layer").last().scrollIntoViewIfNeeded();
    await square(page, "e2").dragTo(square(page, "d3"));
    await expect(page.locator("#answer")).toContainText("is pinned on the e-file");
    await expect(page.locator("#answer")).toBeInViewport({ ratio: 1 });
    const [x, y] = await page.locator("#answer").evaluate((it) => {
      const box = it.getBoundingClientRect();
      return [box.left + 20, box.top + box.height / 2] as const;
    });
    expect(await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.id, [x, y] as const)).toBe("answer");
  });
}
