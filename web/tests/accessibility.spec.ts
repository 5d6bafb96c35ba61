// The automated accessibility check: every panel, both themes, wide and narrow.

import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "./harness.ts";

const PANELS = ["layers", "moves", "methods", "calculator", "perft", "compare"] as const;
const SCREENS = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 640 } };

for (const panel of PANELS) {
  for (const theme of ["light", "dark"] as const) {
    for (const [name, screen] of Object.entries(SCREENS)) {
      test(`${panel}, ${theme}, ${name}`, async ({ page, open }) => {
        await page.setViewportSize(screen);
        await open(`#panel=${panel}&theme=${theme}&square=e4&edit=1`);
        await expect(page.locator(`#panel-${panel}`)).not.toBeEmpty();
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.slice(0, 3).map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`).join("\n")}`);
        expect(found).toEqual([]);
      });
    }
  }
}
