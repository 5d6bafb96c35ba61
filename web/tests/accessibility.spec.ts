// The automated accessibility check: every panel and its answers, both themes, wide and narrow.

import { AxeBuilder } from "@axe-core/playwright";

import { expect, type Page, test } from "./harness.ts";

const PANELS = ["layers", "moves", "methods", "calculator", "perft", "compare", "lessons"] as const;
const THEMES = ["light", "dark"] as const;
const SCREENS = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 640 }, low: { width: 844, height: 390 }, large: { width: 1920, height: 1080 } };
/** Contrast depends on the theme, and what is hidden on the width: two settings suffice. */
const SETTINGS = THEMES.flatMap((theme) => Object.entries(SCREENS).map(([name, screen]) => ({ theme, name, screen })))
  .filter(({ theme, name }) => process.env.TABIYA_LONG_TESTS || name === (theme === "light" ? "wide" : "narrow"));

/** Panels whose look at the board is a part of them. */
const DRAWN_ON_THE_BOARD: readonly string[] = ["layers", "methods", "lessons"];

/** Checks the page, or a part of it. The board has most of the elements, and takes most of the time. */
async function check(page: Page, part?: string): Promise<void> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  const found = violations.map(({ id, help, nodes }) =>
    `${id}: ${help}\n${nodes.slice(0, 3).map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`).join("\n")}`);
  expect(found).toEqual([]);
}

for (const panel of PANELS) {
  for (const { theme, name, screen } of SETTINGS) {
    test(`${panel}, ${theme}, ${name}`, async ({ page, open }) => {
      await page.setViewportSize(screen);
      await open(`#panel=${panel}&theme=${theme}&square=e4&edit=1`);
      // Wait for more than the text that the panel is loading.
      await expect(page.locator(`#panel-${panel}`).locator("button, input, select, textarea").first()).toBeVisible();
      const isAll = process.env.TABIYA_LONG_TESTS || DRAWN_ON_THE_BOARD.includes(panel);
      await check(page, isAll ? undefined : `#panel-${panel}`);
    });
  }
}

/** The answers of the page, and how to produce them. */
const ANSWERS: Readonly<Record<string, { fragment: string; part?: string; ask: (page: Page) => Promise<void> }>> = {
  "a count": {
    fragment: "panel=perft&perft=3&categories=1",
    part: "#panel-perft",
    async ask(page) {
      await page.getByRole("button", { name: "Count", exact: true }).click();
      await expect(page.locator(".perft-status")).toContainText("8,902 leaf nodes");
      await expect(page.locator(".divide tbody tr")).toHaveCount(20);
    },
  },
  "a pasted divide": {
    fragment: "panel=compare&compare=1",
    part: "#panel-compare",
    async ask(page) {
      await page.getByLabel("What it prints").fill("e2e4: 2\ne2e5: 1\nhello\n");
      await expect(page.locator(".compare-status")).toContainText("Something differs.");
      await expect(page.locator('.compared tr[data-move="e2e5"]')).toBeVisible();
    },
  },
  "a magic multiplication": {
    fragment: "panel=methods&method=magic&at=a1&occupied=ffffffffffffffff&step=10",
    ask: (page) => expect(page.locator(".grid .carries")).not.toHaveCount(0),
  },
  "an illegal move": {
    fragment: "fen=4r2k/8/8/8/8/8/4B3/4K3_w_-_-_0_1",
    async ask(page) {
      await page.getByRole("textbox", { name: "Position, game or moves" }).fill("Bd3");
      await page.keyboard.press("Enter");
      await expect(page.locator(".answer")).toContainText("pinned");
    },
  },
  "a broken FEN": {
    fragment: "",
    async ask(page) {
      await page.getByRole("textbox", { name: "Position, game or moves" }).fill("8/8/9/8/8/8/8/8 w - - 0 1");
      await page.keyboard.press("Enter");
      await expect(page.locator("#answer")).not.toBeEmpty();
    },
  },
  "a step of a lesson": {
    fragment: "lesson=checks.3",
    async ask(page) {
      await expect(page.locator(".lesson .ask")).toBeVisible();
      await page.getByRole("button", { name: "Show the answer" }).click();
    },
  },
  "games with variations, one of them broken": {
    fragment: "",
    async ask(page) {
      const games = "[White \"A\"]\n\n{First.} 1. e4 $1 {best} e5 (1... c5 {[%csl Gd4,Rf3][%cal Rc5d4]} 2. Nf3 (2. c3)) 2. Nf5 *\n\n[White \"B\"]\n\n1. d4 -- *";
      await page.getByRole("textbox", { name: "Position, game or moves" }).fill(games);
      await page.keyboard.press("Enter");
      await page.locator(".tree").getByRole("button", { name: "c5", exact: true }).click();
      await expect(page.locator(".tree .problem")).toBeVisible();
      await expect(page.locator(".arrow.red, .square .ring")).toHaveCount(3);
    },
  },
  "a promotion": {
    fragment: "fen=4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1",
    async ask(page) {
      for (const name of ["a7", "a8"]) await page.locator(`[role=gridcell][data-square=${name}]`).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
};

for (const [name, { fragment, part, ask }] of Object.entries(ANSWERS)) {
  // The panels are looked at in both themes: their answers have the same colours.
  const settings = Object.entries(SCREENS).flatMap(([width, screen]) => THEMES.map((theme) => ({ theme, width, screen })));
  for (const { theme, width, screen } of settings.slice(0, process.env.TABIYA_LONG_TESTS ? settings.length : 1)) {
    test(`${name}, ${theme}, ${width}`, async ({ page, open }) => {
      await page.setViewportSize(screen);
      await open(`#theme=${theme}&${fragment}`);
      await ask(page);
      await check(page, part);
    });
  }
}

for (const panel of PANELS) {
  test(`the Tab key reaches every control of ${panel}, and none is hidden`, async ({ page, open }) => {
    // On a telephone the board covers what scrolls below it.
    await page.setViewportSize(panel === "layers" || panel === "compare" ? SCREENS.narrow : SCREENS.wide);
    await open(`#panel=${panel}&edit=1`);
    await expect(page.locator(`#panel-${panel}`).locator("button, input, select, textarea").first()).toBeVisible();
    const reachable = await page.evaluate(() => {
      const groups = new Set<string>();
      const all = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")];
      return all.filter((it) => {
        if (it.tabIndex < 0 || !it.checkVisibility() || it.matches(":disabled")) return false;
        // The keys reach one button of a group of radio buttons.
        if (!(it instanceof HTMLInputElement) || it.type !== "radio") return true;
        const isFirst = !groups.has(it.name);
        groups.add(it.name);
        return isFirst;
      }).length;
    });
    expect(reachable).toBeGreaterThan(10);
    const seen = new Set<number>();
    for (let press = 0; press < reachable + 5 && seen.size < reachable; press++) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const it = document.activeElement as HTMLElement;
        if (it === document.body) return null;
        const all = [...document.querySelectorAll("*")];
        const box = it.getBoundingClientRect();
        const middle = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height, 40) / 2);
        const isSeen = middle !== null && (it.contains(middle) || middle.contains(it) || it.closest("label")?.contains(middle) === true);
        const { outlineStyle, outlineWidth } = getComputedStyle(it);
        return { number: all.indexOf(it), isSeen, outline: `${outlineStyle} ${outlineWidth}`, html: it.outerHTML.slice(0, 160) };
      });
      if (focus === null) continue;
      seen.add(focus.number);
      expect(focus.isSeen, `covered: ${focus.html}`).toBe(true);
      expect(focus.outline, focus.html).toMatch(/^(solid|auto) [1-9]/);
    }
    expect(seen.size).toBe(reachable);
  });
}

test("with reduced motion nothing moves by itself", async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open("#panel=layers");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.locator("[role=gridcell][data-square=e2]").click();
  await page.locator("[role=gridcell][data-square=e4]").click();
  for (const panel of ["Methods", "Perft", "Lessons"]) {
    await page.getByRole("tab", { name: panel }).click();
    await expect(page.locator("[role=tabpanel]:visible").locator("button, input").first()).toBeVisible();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  }
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((it) => {
    const { transitionDuration, animationName } = getComputedStyle(it);
    return animationName !== "none" || /[1-9]/.test(transitionDuration);
  }).length);
  expect(moving).toBe(0);
});
