// The lessons: each step can be opened by a link, and each question has an answer on the board.

import { readFileSync } from "node:fs";

import loading, { Scene } from "../pkg/tabiya.js";
import { LESSONS } from "../src/lessons/lessons.ts";
import { expect, type Page, test } from "./harness.ts";

loading.loadSync(readFileSync(new URL("../pkg/tabiya_bg.wasm", import.meta.url)));

const square = (page: Page, name: string) => page.locator(`[role=gridcell][data-square=${name}]`);
const card = (page: Page) => page.locator(".lesson");
const answer = (page: Page) => page.locator(".answer-of-lesson");

test("there are six lessons, and every question has an answer", () => {
  expect(LESSONS.map(({ id }) => id)).toEqual(["bitboards", "sliders", "checks", "en-passant", "castling", "perft"]);
  for (const { id, steps } of LESSONS) {
    expect(steps.length, id).toBeGreaterThanOrEqual(4);
    expect(steps.some(({ question }) => question !== undefined), id).toBe(true);
    steps.forEach(({ scene, question }, index) => {
      const name = `${id}.${index + 1}`;
      const shown = new Scene(scene.start, scene.moves ?? "");
      for (const layer of scene.layers ?? []) {
        const of = layer.replace("*", scene.square ?? "*");
        expect(() => shown.calculate([], new BigUint64Array(), of), `${name}: ${of}`).not.toThrow();
      }
      if (question?.kind === "move") {
        const answers = question.moves.map((move) => shown.explain(move).legal);
        // A question asks for legal moves or for refused ones, not for both.
        const isRefused = /^Try/.test(question.ask) || question.ask.includes("not legal");
        if (id === "castling" && question.moves.length === 2) expect(answers, name).toContain(false);
        else expect(answers, name).toEqual(answers.map(() => !isRefused));
      } else if (question && !question.layer.endsWith("-blockers")) {
        const squares = shown.calculate([], new BigUint64Array(), question.layer).at(-1)!.value;
        expect(squares, name).not.toBe(0n);
      }
    });
  }
});

test("a lesson is followed to its end", async ({ page, open }) => {
  await open("#panel=lessons");
  await page.getByRole("button", { name: "Checks and pins" }).click();
  await expect(card(page)).toContainText("1 of 5");
  await expect(page).toHaveURL(/lesson=checks\.1/);
  await square(page, "d2").click();
  await square(page, "f1").click();
  await expect(answer(page)).toHaveAttribute("data-outcome", "wrong");
  await square(page, "d2").dragTo(square(page, "f3"));
  await expect(answer(page)).toHaveAttribute("data-outcome", "right");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page.getByRole("tab", { name: "Moves" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await square(page, "d2").click();
  await expect(answer(page)).toHaveText("Not d2. Look again, or go on.");
  await square(page, "e4").click();
  await expect(answer(page)).toHaveAttribute("data-outcome", "right");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await square(page, "e4").click();
  await square(page, "f4").click();
  await expect(answer(page)).toHaveAttribute("data-outcome", "right");
  await expect(page.locator("#answer")).toContainText("pinned on the e-file");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("button", { name: "End", exact: true }).click();
  await expect(card(page)).toBeHidden();
});

test("a wrong move is taken back, and an attempt in another position is no answer", async ({ page, open }) => {
  await open("#lesson=checks.1");
  await square(page, "e1").dragTo(square(page, "e2"));
  await expect(answer(page)).toHaveText("Ke2 is legal, but not the move in question. It is taken back: try another one.");
  await expect(square(page, "e1")).toHaveAttribute("aria-label", /white king/);
  await square(page, "d2").dragTo(square(page, "b3"));
  await expect(answer(page)).toHaveText("d2b3 is not the move in question. Try another one.");
  // With another position on the board, d2f3 is refused for another reason.
  await page.getByRole("textbox", { name: "Position, game or moves" }).fill("startpos");
  await page.keyboard.press("Enter");
  await square(page, "d2").dragTo(square(page, "f3"));
  await expect(answer(page)).not.toHaveAttribute("data-outcome", "right");
  await page.getByRole("button", { name: "Show this step again" }).click();
  await square(page, "d2").dragTo(square(page, "f3"));
  await expect(answer(page)).toHaveAttribute("data-outcome", "right");
});

test("a link may name a theme besides the lesson", async ({ page, open }) => {
  await open("#theme=dark&lesson=castling.2");
  await expect(square(page, "a6")).toHaveAttribute("aria-label", /black bishop/);
});

test("a link opens a lesson at a step, and Back returns to the step before", async ({ page, open }) => {
  await open("#lesson=castling.2");
  await expect(card(page)).toContainText("2 of 4");
  await expect(square(page, "a6")).toHaveAttribute("aria-label", /black bishop/);
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(card(page)).toContainText("3 of 4");
  await page.goBack();
  await expect(card(page)).toContainText("2 of 4");
  await open("#lesson=chess-boxing.1");
  await expect(card(page)).toContainText("There is no lesson chess-boxing.1.");
});

test("squares are answered by the keyboard, one after the other", async ({ page, open }) => {
  await open("#lesson=bitboards.1");
  await expect(card(page).locator(".ask")).toBeVisible();
  await square(page, "e1").focus();
  await page.keyboard.press("Enter");
  await expect(answer(page)).toHaveText("1 of 2 found.");
  await square(page, "e8").focus();
  await page.keyboard.press("Enter");
  await expect(answer(page)).toHaveAttribute("data-outcome", "right");
});

test("every step opens without an error", async ({ page, open }) => {
  for (const { id, steps } of LESSONS) {
    for (const [index, step] of steps.entries()) {
      await open(`#lesson=${id}.${index + 1}`);
      await expect(card(page)).toContainText(step.text);
      await expect(page.locator("#answer")).toHaveText("");
      await expect(page.locator(`#panel-${step.scene.panel ?? "layers"}`)).toBeVisible();
    }
  }
});

test("on a telephone a lesson that is opened from a scrolled list is in sight", async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open("#panel=lessons");
  const lesson = page.getByRole("button", { name: LESSONS.find(({ id }) => id === "en-passant")!.title });
  await lesson.scrollIntoViewIfNeeded();
  // As far as it goes.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await lesson.click();
  await expect(page.locator("#panel-layers")).toBeVisible();
  await expect(card(page)).toContainText("1 of");
  // Neither the verdict nor the tabs cover it.
  const [verdict, shown, tabs] = await Promise.all([page.locator(".verdict"), card(page), page.getByRole("tablist")].map(async (it) => (await it.boundingBox())!));
  expect(shown!.y).toBeGreaterThanOrEqual(verdict!.y + verdict!.height - 1);
  expect(shown!.y + shown!.height).toBeLessThanOrEqual(tabs!.y);
});

test("the count of the lesson on perft has every rule that its text names", async ({ page, open }) => {
  await open("#lesson=perft.3");
  await page.getByRole("button", { name: "Count", exact: true }).click();
  await expect(page.locator(".perft-status")).toContainText("4,085,603 leaf nodes");
  for (const category of ["castles", "promotions", "en_passant"]) {
    await expect(page.locator(`[data-category=${category}] .number`)).toHaveText(/[1-9]/);
  }
});
