// The panel of moves: every legal move by kind, and every refused move with its reason.

import { expect, type Page, test } from "./harness.ts";

const square = (page: Page, name: string) => page.locator(`[role=gridcell][data-square=${name}]`);
const kind = (page: Page, name: string) => page.locator(`[data-kind="${name}"]`);

test("legal moves are listed by kind", async ({ page, open }) => {
  await open("#fen=kiwipete&panel=moves");
  await expect(page.locator(".total")).toHaveText("48 legal moves");
  await expect(kind(page, "captures").getByRole("button")).toHaveText(["gxh3", "dxe6", "Nxg6", "Nxd7", "Nxf7", "Bxa6", "Qxh3", "Qxf6"]);
  await expect(kind(page, "quiets").getByRole("button")).toHaveCount(40);
  // Without a check, there are no evasions.
  await expect(kind(page, "evasions")).toHaveCount(0);
  await kind(page, "quiets").getByRole("button", { name: "Play O-O-O" }).click();
  await expect(page.locator("ol.line button")).toHaveText(["O-O-O"]);
});

test("in check the moves are evasions", async ({ page, open }) => {
  await open("#fen=4k3/8/4N3/8/8/8/4R3/4K3_w_-_-_0_1&panel=moves");
  await kind(page, "quiet-checks").getByRole("button").first().click();
  await expect(kind(page, "evasions").getByRole("button")).not.toHaveCount(0);
});

test("pseudo-legal moves that are not legal have reasons", async ({ page, open }) => {
  await open("#fen=8/8/8/8/k2Pp2Q/8/8/3K4_b_-_d3_0_1&panel=moves&layers=none");
  const refused = kind(page, "refused");
  await expect(refused).toContainText("exd3");
  await refused.getByRole("button", { name: "exd3" }).click();
  await expect(page.locator(".arrow.bad")).toHaveCount(1);
  // The mark belongs to the line from the queen to the king.
  await expect(page.locator("[role=gridcell][data-square=b4] .mark")).toHaveCount(1);
  await expect(page.locator("#announcer")).toContainText("exd3");
});

test("castling that is not legal is listed with its reason, and tried by a click on the rook", async ({ page, open }) => {
  await open("#fen=4k3/8/b7/8/8/8/7r/R3K2R_w_KQ_-_0_1&panel=moves&layers=none");
  await expect(kind(page, "quiets").getByRole("button", { name: "Play O-O-O" })).toBeVisible();
  const castling = kind(page, "refused").getByRole("listitem").filter({ hasText: /^O-O / });
  await expect(castling).toContainText("the king would pass through f1, which the bishop on a6 attacks");
  await castling.getByRole("button").hover();
  await expect(page.locator(".arrow.bad")).toHaveCount(1);
  await expect(square(page, "c4").locator(".mark")).toHaveCount(1);
  await page.locator("h1").hover();
  await expect(page.locator(".arrow")).toHaveCount(0);
  await square(page, "e1").click();
  await square(page, "h1").click();
  await expect(page.locator("#answer")).toContainText("O-O is not legal");
  // After a refusal, the next click begins a move.
  await square(page, "h1").click();
  await expect(square(page, "h1")).toHaveAttribute("aria-selected", "true");
});

test("a move at the start of a sentence stays as it is written", async ({ page, open }) => {
  await open("#moves=e2e5");
  await expect(page.locator("#answer")).toHaveText(/^e2e5 is not legal/);
});

test("the move under the pointer is drawn", async ({ page, open }) => {
  await open("#panel=moves");
  await kind(page, "quiets").getByRole("button", { name: "Play Nf3" }).hover();
  await expect(page.locator(".arrow.good")).toHaveCount(1);
});

test("on a position that cannot be played, the pieces have moves", async ({ page, open }) => {
  await open("#fen=8/8/8/8/8/8/8/K7_w_-_-_0_1&panel=moves&layers=none");
  const panel = page.locator("#panel-moves");
  await expect(panel.locator(".note")).toHaveText("The position cannot be played: Black has no king. But the pieces on its board can move.");
  await expect(panel.locator(".total")).toHaveText("3 moves");
  await expect(panel.locator(".moves button")).toHaveText(["Kb1", "Ka2", "Kb2"]);
  // There is nothing to play: the move is drawn.
  await panel.getByRole("button", { name: "Kb2" }).click();
  await expect(page.locator(".arrow.good")).toHaveCount(1);
  await expect(page.locator("ol.line button")).toHaveCount(0);
});
