// The main views, as the documentation shows them.

import { fileURLToPath } from "node:url";

import { expect, type Page, test } from "../tests/harness.ts";

const PINS = "4r2k/8/8/8/8/3n4/4B3/4K3_w_-_-_0_1";
const TRAP = "8/8/8/8/k2Pp2Q/8/8/3K4_b_-_d3_0_1";

/** Morphy's game at the opera, with a few notes. */
const OPERA =
  '[Event "Paris Opera"]\n[White "Morphy"]\n[Black "Duke and Count"]\n\n' +
  "1. e4 e5 2. Nf3 d6 3. d4 Bg4?! {The pin does not hold. [%cal Rg4d1][%csl Gf3]} (3... exd4 4. Nxd4 Nf6 (4... g6 5. Nc3) 5. Nc3 $14) (3... Nf6) " +
  "4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3! Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 " +
  "13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ $3 Nxb8 17. Rd8# 1-0";

interface View {
  readonly address: string;
  readonly size?: { width: number; height: number };
  readonly before?: (page: Page) => Promise<void>;
}

const VIEWS: Readonly<Record<string, View>> = {
  front: { address: "" },
  layers: { address: `#fen=${PINS}&layers=checkers,pin-lines,king-danger` },
  moves: {
    address: `#fen=${TRAP}&panel=moves&layers=none`,
    before: async (page) => page.getByRole("button", { name: "exd3" }).hover(),
  },
  methods: { address: "#fen=kiwipete&layers=none&panel=methods&method=hyperbola&step=4&theme=dark" },
  calculator: { address: "#layers=none&panel=calculator" },
  perft: {
    address: "#layers=none&panel=perft&perft=6",
    before: async (page) => {
      await page.getByRole("button", { name: "Count", exact: true }).click();
      await expect(page.locator("#panel-perft")).toContainText("119,060,324", { timeout: 60_000 });
    },
  },
  debugger: {
    address: `#fen=${TRAP}&layers=none&panel=compare&compare=1`,
    before: async (page) => {
      // A generator that does not notice that the capture opens the rank.
      const printed = "a4a3: 1\na4b3: 1\na4b4: 1\na4b5: 1\na4a5: 1\ne4e3: 1\ne4d3: 1\n\nNodes searched: 7";
      await page.getByRole("textbox", { name: "What it prints" }).fill(printed);
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await expect(page.locator("#panel-compare")).toContainText("Where to look");
    },
  },
  lesson: {
    address: "#lesson=checks.4",
    before: async (page) => {
      await expect(page.locator(".lesson .ask")).toBeVisible();
      await page.locator('[role=gridcell][data-square="e4"]').dragTo(page.locator('[role=gridcell][data-square="f4"]'));
    },
  },
  game: {
    address: "#layers=none&panel=moves",
    before: async (page) => {
      const field = page.getByRole("textbox", { name: "Position, game or moves" });
      await field.fill(OPERA);
      await field.press("Enter");
      await page.locator(".tree button", { hasText: "Bg4" }).click();
    },
  },
  telephone: { address: "", size: { width: 390, height: 844 } },
};

for (const [name, { address, size, before }] of Object.entries(VIEWS)) {
  test(name, async ({ page, open }) => {
    await page.setViewportSize(size ?? { width: 1280, height: 800 });
    await open(address);
    // More than the text that the panel is loading.
    await expect(page.locator("[role=tabpanel]:visible").locator("button, input, select").first()).toBeVisible();
    await before?.(page);
    const path = fileURLToPath(new URL(`../../docs/explorer/${name}.png`, import.meta.url));
    await page.screenshot({ path, animations: "disabled" });
  });
}
