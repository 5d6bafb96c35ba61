// The frame around the panels, with scroll bars that take space, as on Linux and Windows.

import { expect, type Page, test } from "./harness.ts";

const PANELS = ["lessons", "layers", "moves", "methods", "calculator", "perft", "compare"] as const;

test.use({
  launchOptions: [
    async ({}, use, { project }) => use({ ...project.use.launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] }),
    { scope: "worker" },
  ],
});

/** The places of the tabs, as text. */
const places = (page: Page) =>
  page.getByRole("tab").evaluateAll((tabs) => tabs.map((tab) => Object.values(tab.getBoundingClientRect().toJSON() as object).map((it) => Math.round(it)).join(" ")).join("\n"));

for (const [width, height] of [[1024, 768], [1280, 800], [1920, 1080], [390, 844], [500, 1100]] as const) {
  test(`the tabs are whole and stay where they are at ${width} × ${height}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height });
    await open("#fen=kiwipete&panel=lessons&edit=1");
    await expect(page.getByRole("tab")).toHaveCount(PANELS.length);
    const first = await places(page);
    for (const panel of PANELS) {
      await page.locator(`#tab-${panel}`).click();
      await expect(page.locator(`#panel-${panel}`).locator("button, input, select, textarea").first()).toBeVisible();
      if (width > height) expect(await places(page), panel).toBe(first);
      const cut = await page.evaluate(() => {
        const tabs = [...document.querySelectorAll("[role=tab]")];
        // The text of a menu that keeps its title, and of the themes.
        const menus = [...document.querySelectorAll<HTMLSelectElement>(".tools select")].filter((it) => {
          const { width } = it.getBoundingClientRect();
          const whole = it.cloneNode() as HTMLSelectElement;
          whole.append(new Option(it.selectedOptions[0]!.text));
          whole.style.cssText = "position: absolute; width: auto; flex: none";
          it.after(whole);
          const needed = whole.getBoundingClientRect().width;
          whole.remove();
          return needed > width + 1;
        });
        const names = tabs.filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth || it.scrollWidth > it.clientWidth);
        // What scrolls sideways in a frame of its own.
        const framed = [...document.querySelectorAll(".side, .side *")].filter((it) => it.scrollWidth > it.clientWidth && ["auto", "scroll"].includes(getComputedStyle(it).overflowX));
        return [...names, ...menus, ...framed].map((it) => it.outerHTML.slice(0, 120));
      });
      expect(cut, panel).toEqual([]);
      const [wide, shown, high] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth, document.documentElement.scrollHeight]);
      expect(wide, panel).toBe(shown);
      if (width > height) expect(high, panel).toBe(height);
    }
  });
}

test("a wide screen shows the whole FEN, and a long game with little scrolling", async ({ page, open }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await open("#fen=kiwipete");
  expect(await page.locator("#fen").evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
  const variations = "(1... c5 2. Nf3 d6 3. d4) (1... e6 2. d4 d5 3. Nc3) (1... c6 2. d4 d5) (1... d6 2. d4 Nf6) (1... g6 2. d4) (1... d5) (1... Nf6 2. e5) (1... Nc6) (1... b6) (1... a6)";
  await page.getByRole("textbox", { name: "Position, game or moves" }).fill(`1. e4 e5 ${variations} 2. Nf3 Nc6 3. Bb5 a6 *`);
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await expect(page.locator(".tree")).toBeVisible();
  expect((await page.locator(".tree").boundingBox())!.height).toBeGreaterThan(250);
});
