// The calculator from the user's view.

import { expect, test, type Page } from "./harness.ts";

const open = (page: Page, settings = "") => page.goto(`./#panel=calculator${settings}`);
const card = (page: Page, name: string) => page.locator(`.named-set[data-name="${name}"]`);
const expression = (page: Page) => page.getByLabel("Expression", { exact: true });
const whole = (page: Page) => page.locator(".calculated .whole");
const error = (page: Page) => page.locator("#expression-error");
const value = async (page: Page) => BigInt((await whole(page).getAttribute("data-value"))!);

test("an expression has a picture for each part", async ({ page }) => {
  await open(page);
  await expression(page).fill("(A | file-e) & ~attacks:white");
  const texts = page.locator(".calculated figcaption");
  await expect(texts).toHaveText([
    "(A | file-e) & ~attacks:white",
    "~attacks:white",
    "attacks:white",
    "A | file-e",
    "file-e",
    "A",
  ]);
  const mask = (1n << 64n) - 1n;
  const attacked = BigInt((await page.locator('[data-text="attacks:white"]').getAttribute("data-value"))!);
  expect(await value(page)).toBe((0xff00n | 0x1010_1010_1010_1010n) & (mask ^ attacked));
  await expect(whole(page).locator("svg")).toHaveAttribute("aria-label", /: e4, e5, e6, e7, e8$/);
});

test("sets are drawn, added, renamed, removed and kept in the address", async ({ page }) => {
  await open(page, "&sets=-");
  await expect(page.locator(".named-set")).toHaveCount(0);
  await page.getByRole("button", { name: "Add a set" }).click();
  await card(page, "A").locator('[data-at="e4"]').click();
  await card(page, "A").locator('[data-at="a1"]').click();
  await expect(card(page, "A").getByLabel("The set as a number")).toHaveValue("0x0000_0000_1000_0001");
  await card(page, "A").getByLabel("Name of the set").fill("blockers");
  await card(page, "A").getByLabel("Name of the set").press("Enter");
  await expression(page).fill("popcount(blockers) * 21");
  await expect(whole(page).locator("output")).toHaveText("42");
  await page.reload();
  await expect(whole(page).locator("output")).toHaveText("42");
  await expect(card(page, "blockers").locator('[data-at="e4"]')).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Remove blockers" }).click();
  await expect(error(page)).toContainText('there is no name "blockers"');
});

test("invalid names and numbers are refused", async ({ page }) => {
  await open(page);
  const name = card(page, "A").getByLabel("Name of the set");
  const problem = card(page, "A").locator(".error");
  for (const [wanted, message] of [
    ["e4", "e4 already means something"],
    ["B", "there is a set B already"],
    ["2x", "a name is a letter"],
  ] as const) {
    await name.fill(wanted);
    await name.press("Enter");
    await expect(problem).toContainText(message);
    await expect(name).toHaveValue("A");
  }
  const number = card(page, "A").getByLabel("The set as a number");
  await number.fill("0x12345678901234567");
  await number.press("Enter");
  await expect(problem).toContainText("is not a hexadecimal number");
  await number.fill("0x81");
  await number.press("Enter");
  await expect(problem).toHaveText("");
  await expect(card(page, "A").locator('[data-at="h1"]')).toHaveAttribute("aria-pressed", "true");
});

test("a layer is taken into a set", async ({ page }) => {
  await open(page);
  const layer = card(page, "A").getByLabel("Layer to take");
  await layer.fill("knights");
  await card(page, "A").getByRole("button", { name: "Take" }).click();
  await expect(card(page, "A").locator(".set-board .in")).toHaveCount(4);
  await layer.fill("attacks:e4");
  await layer.press("Enter");
  await expect(card(page, "A").locator(".error")).toHaveText("e4 is empty");
});

test("buttons write operators and functions", async ({ page }) => {
  await open(page, "&sets=A:ff00,B:f0");
  await expression(page).fill("");
  await page.getByText("Functions", { exact: true }).click();
  await page.getByRole("button", { name: "byteswap" }).click();
  await page.keyboard.type("A");
  await page.getByRole("button", { name: "closing parenthesis" }).click();
  await page.getByRole("button", { name: "exclusive or" }).click();
  await page.keyboard.type("B");
  await expect(expression(page)).toHaveValue("byteswap(A) ^ B");
  expect(await value(page)).toBe(0x00ff_0000_0000_0000n ^ 0xf0n);
});

test("a result becomes a set", async ({ page }) => {
  await open(page, "&sets=A:ff00");
  await expression(page).fill("A << 8");
  await page.getByRole("button", { name: "Keep as a set" }).click();
  await expect(card(page, "B").getByLabel("The set as a number")).toHaveValue("0x0000_0000_00ff_0000");
});

test("numbers and squares are shown as numbers and squares", async ({ page }) => {
  await open(page);
  await expression(page).fill("first(A)");
  await expect(whole(page).locator("output")).toHaveText("a2, number 8");
  await expression(page).fill("0x0000000000000800 * 0x80 >> 12");
  expect(await value(page)).toBe(64n);
});

test("errors say what is wrong and where", async ({ page }) => {
  await open(page);
  for (const [text, message] of [
    ["A | pined", 'there is no name "pined" (pined, at character 5). Did you mean pinned?'],
    ["A <<", "a value is missing."],
    ["A << 64", "a shift by 64 is more than 63 places (64, at character 6)."],
    ["A << -1", "a shift by -1 is less than 0 places (-1, at character 6)."],
    ["between(e1, e8)", 'there is no function "between" (between, at character 1). Between is a layer, which is written between:e1-e8.'],
    ["(A", "a closing parenthesis is missing."],
    ["first(A & ~A)", "the empty set has no first square"],
    ["(".repeat(1000), "are nested"],
    ["A ".repeat(1500), "longer than 2000 bytes"],
    ["♞ & A", "has no meaning here"],
  ] as const) {
    await expression(page).fill(text);
    await expect(error(page)).toContainText(message);
    await expect(expression(page)).toHaveAttribute("aria-invalid", "true");
    await expect(whole(page)).toHaveCount(0);
  }
  await expression(page).fill("A");
  await expect(error(page)).toHaveText("");
});

test("layers follow the position", async ({ page }) => {
  await open(page, "&expression=pinned&fen=4r2k/8/8/8/8/3n4/4B3/4K3_w_-_-_0_1");
  expect(await value(page)).toBe(1n << 12n);
});

test("an invalid address shows its valid parts", async ({ page }) => {
  await open(page, "&sets=A:ff,e4:1,B:zz,A:1,%F0,C:10&expression=A%20%26%20%E2%99%9E");
  await expect(page.locator(".named-set")).toHaveCount(2);
  await expect(error(page)).toContainText("has no meaning here");
});

test("the value of the expression is marked on the main board", async ({ page }) => {
  await open(page);
  await expression(page).fill("rank-4 & file-e | a1");
  await expect(page.locator(".grid .mark")).toHaveCount(2);
  await expect(page.locator('[role=gridcell][data-square="e4"] .mark')).toHaveCount(1);
  await expect(page.locator(".legend")).toContainText("rank-4 & file-e | a1");
  await expression(page).fill("popcount(all)");
  await expect(page.locator(".grid .mark")).toHaveCount(0);
});
