// The automated accessibility check: every panel and its answers, both themes, wide and narrow.

import { AxeBuilder } from "@axe-core/playwright";

import { expect, type Page, test } from "./harness.ts";

const PANELS = ["layers", "moves", "methods", "calculator", "perft", "compare", "lessons"] as const;
const THEMES = ["light", "dark"] as const;
const SCREENS = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 640 } };
/** Contrast depends on the theme, and what is hidden on the width: two settings suffice. */
const SETTINGS = THEMES.flatMap((theme) => Object.entries(SCREENS).map(([name, screen]) => ({ theme, name, screen })))
  .filter(({ theme, name }) => process.env.TABIYA_LONG_TESTS || (theme === "light") === (name === "wide"));

async function check(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
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
      await check(page);
    });
  }
}

/** The answers of the page, and how to produce them. */
const ANSWERS: Readonly<Record<string, { fragment: string; ask: (page: Page) => Promise<void> }>> = {
  "a count": {
    fragment: "panel=perft&perft=3&categories=1",
    async ask(page) {
      await page.getByRole("button", { name: "Count", exact: true }).click();
      await expect(page.locator(".perft-status")).toContainText("8,902 leaf nodes");
      await expect(page.locator(".divide tbody tr")).toHaveCount(20);
    },
  },
  "a pasted divide": {
    fragment: "panel=compare&compare=1",
    async ask(page) {
      await page.getByLabel("What it prints").fill("e2e4: 2\ne2e5: 1\nhello\n");
      await expect(page.locator(".compare-status")).toContainText("Something differs.");
      await expect(page.locator('.compared tr[data-move="e2e5"]')).toBeVisible();
    },
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
  "a promotion": {
    fragment: "fen=4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1",
    async ask(page) {
      for (const name of ["a7", "a8"]) await page.locator(`[role=gridcell][data-square=${name}]`).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
};

for (const [name, { fragment, ask }] of Object.entries(ANSWERS)) {
  // The panels are looked at in both themes: their answers have the same colours.
  for (const theme of THEMES.slice(0, process.env.TABIYA_LONG_TESTS ? 2 : 1)) {
    test(`${name}, ${theme}`, async ({ page, open }) => {
      await open(`#theme=${theme}&${fragment}`);
      await ask(page);
      await check(page);
    });
  }
}
