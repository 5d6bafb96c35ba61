// The lessons: each step can be done with clicks, by touch and with keys.

import { readFileSync } from "node:fs";

import loading, { Scene } from "../pkg/tabiya.js";
import { LESSONS } from "../src/lessons/lessons.ts";
import type { Step } from "../src/lessons/lesson.ts";
import { hex } from "../src/numbers.ts";
import { numberOf, SQUARES, type Square, squaresOf } from "../src/squares.ts";
import { expect, type Locator, type Page, test } from "./harness.ts";

loading.loadSync(readFileSync(new URL("../pkg/tabiya_bg.wasm", import.meta.url)));

const square = (page: Page, name: Square) => page.locator(`[role=gridcell][data-square=${name}]`);
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
        expect(shown.layers([of])[0]!.error, `${name}: ${of}`).toBeUndefined();
      }
      if (question?.kind === "move") {
        const answers = question.moves.map((move) => shown.explain(move).legal);
        // A question asks for legal moves or for refused ones, not for both.
        const isRefused = /^Try/.test(question.ask) || question.ask.includes("not legal");
        if (id === "castling" && question.moves.length === 2) expect(answers, name).toContain(false);
        else expect(answers, name).toEqual(answers.map(() => !isRefused));
      } else if (question && !question.layer.endsWith("-blockers")) {
        expect(shown.layers([question.layer])[0]!.squares, name).not.toBe(0n);
      }
    });
  }
});

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/** The number words where the pattern has its group. */
function numbersIn(text: string, pattern: RegExp): string[] {
  return [...text.toLowerCase().matchAll(pattern)].map(([, word]) => word!).filter((word) => NUMBERS.includes(word));
}

test("what the lessons say in numbers is so", () => {
  for (const { id, steps } of LESSONS) {
    steps.forEach((step, index) => {
      const { text, scene, question } = step;
      const name = `${id}.${index + 1}`;
      const right = question?.right ?? "";
      if (question?.kind === "squares") {
        const found = squaresAsked(step, question.layer).length;
        for (const word of numbersIn(right, /(\w+) (?:squares|pieces)\b/g)) expect(word, name).toBe(NUMBERS[found]);
      } else if (question) {
        for (const word of numbersIn(question.ask, /one of the (\w+)/g)) expect(word, name).toBe(NUMBERS[question.moves.length]);
      }
      for (const [number] of text.matchAll(/0x[\da-f_]+/g)) {
        expect(number, name).toBe(hex(new Scene(scene.start, "").layers([...scene.layers!])[0]!.squares));
      }
      // Of each shift, what it does to some squares.
      for (const [, by, rest] of text.matchAll(/by ([79]) takes ((?:,? ?(?:but )?[a-h][1-8] to [a-h][1-8])+)/g)) {
        for (const [, from, to] of rest!.matchAll(/(..) to (..)/g)) expect(SQUARES[numberOf(from as Square) + Number(by)], `${name}: ${from}`).toBe(to);
      }
    });
  }
});

test("no step draws the squares that it asks for, nor those of the step before", async ({ page, open }) => {
  for (const { id, steps } of LESSONS) {
    for (const [index, step] of steps.entries()) {
      if (step.question?.kind !== "squares") continue;
      await open(`#lesson=${id}.${index + 1}`);
      const panel = page.locator(`#panel-${step.scene.panel ?? "layers"}`);
      await expect(panel).toBeVisible();
      await expect(panel).not.toHaveText("Loading …");
      // The squares of each kind of mark.
      const drawn = await page.locator(".grid .mark").evaluateAll((marks) => {
        const sets: Record<string, string[]> = {};
        for (const mark of marks) (sets[mark.className.replace(/ part.*/, "")] ??= []).push(mark.closest<HTMLElement>("[data-square]")!.dataset["square"]!);
        return Object.values(sets).map((squares) => squares.sort().join());
      });
      expect(drawn, `${id}.${index + 1}`).not.toContain(squaresAsked(step, step.question.layer).sort().join());
      await card(page).getByRole("button", { name: "Show the answer" }).click();
      await expect(page.locator(".grid .mark.outline.color-4")).not.toHaveCount(0);
      await card(page).getByRole("button", { name: "Next", exact: true }).click();
      await expect(page.locator(".grid .mark.outline.color-4")).toHaveCount(0);
    }
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
  await square(page, "e4").dragTo(square(page, "f4"));
  await page.getByRole("button", { name: "End", exact: true }).click();
  await expect(card(page)).toBeHidden();
  await expect(page.locator("#panel-lessons .progress").nth(2)).toHaveText(/done/);
  await expect(page.locator("#answer")).toHaveText("");
  await expect(page.locator(".grid .mark, .arrow, .legend li:visible")).toHaveCount(0);
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

/** A way to use the page: it chooses squares, makes moves and presses buttons. */
interface Way {
  choose(page: Page, at: Square): Promise<void>;
  move(page: Page, from: Square, to: Square): Promise<void>;
  press(button: Locator): Promise<void>;
}

const clicks: Way = {
  choose: (page, at) => square(page, at).click(),
  move: async (page, from, to) => {
    await square(page, from).click();
    await square(page, to).click();
  },
  press: (button) => button.click(),
};

const touch: Way = {
  choose: (page, at) => square(page, at).tap(),
  move: async (page, from, to) => {
    const session = await page.context().newCDPSession(page);
    const centre = async (at: Square) => {
      const { x, y, width, height } = (await square(page, at).boundingBox())!;
      return [{ x: x + width / 2, y: y + height / 2 }];
    };
    const [start, end] = [await centre(from), await centre(to)];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: start });
    // The finger rests at the end. Otherwise it throws, and the next tap only stops what it threw.
    for (const x of [end[0]!.x, end[0]!.x + 1]) {
      await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ ...end[0]!, x }] });
    }
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await session.detach();
  },
  press: (button) => button.tap(),
};

const keys: Way = {
  choose: async (page, at) => {
    const current = page.locator("[role=gridcell][tabindex='0']");
    const from = numberOf((await current.getAttribute("data-square")) as Square);
    const [files, ranks] = [(numberOf(at) % 8) - (from % 8), (numberOf(at) >> 3) - (from >> 3)];
    await current.focus();
    for (let step = 0; step < Math.abs(files); step += 1) await page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
    for (let step = 0; step < Math.abs(ranks); step += 1) await page.keyboard.press(ranks > 0 ? "ArrowUp" : "ArrowDown");
    await page.keyboard.press("Enter");
  },
  move: async (page, from, to) => {
    await keys.choose(page, from);
    await keys.choose(page, to);
  },
  press: async (button) => {
    await button.focus();
    await button.press("Enter");
  },
};

/** The squares that a question asks for. */
function squaresAsked({ scene }: Step, layer: string): Square[] {
  const shown = new Scene(scene.start, scene.moves ?? "");
  const blockers = /^(..)-blockers$/.exec(layer);
  const [first, ...rest] = shown.layers(blockers ? [`attacks:${blockers[1]}`, "occupancy"] : [layer]);
  return squaresOf(rest.reduce((all, { squares }) => all & squares, first!.squares));
}

test.describe("every step of every lesson can be done, and is remembered", () => {
  test.use({ hasTouch: true });
  for (const [name, way] of Object.entries({ clicks, touch, keys })) {
    test(`with ${name}`, async ({ page, open }) => {
      const button = (text: string | RegExp) => card(page).getByRole("button", { name: text });
      for (const { id, title, steps, then } of LESSONS) {
        await open("#panel=lessons");
        await way.press(page.getByRole("button", { name: title }));
        for (const [index, step] of steps.entries()) {
          const { text, scene, question } = step;
          await expect(card(page), id).toContainText(text);
          await expect(page.locator("#answer")).toHaveText("");
          await expect(page.locator(`#panel-${scene.panel ?? "layers"}`)).toBeVisible();
          if (question?.kind === "squares") {
            for (const at of squaresAsked(step, question.layer)) await way.choose(page, at);
          } else if (question) {
            const move = question.moves[0]!;
            await way.move(page, move.slice(0, 2) as Square, move.slice(2, 4) as Square);
          }
          if (question) await expect(answer(page), `${id}.${index + 1}`).toHaveText(question.right);
          if (index + 1 < steps.length) await way.press(button(/^Next$/));
        }
        await way.press(button(`Try: ${then.text}`));
        await expect(card(page)).toBeHidden();
        await expect(page.locator(`#panel-${then.scene.panel}`)).toBeVisible();
      }
      await open("#panel=lessons");
      await expect(page.locator(".lessons .progress")).toHaveText(LESSONS.map(() => "✓ done"));
    });
  }
});

test("a lesson goes on where it was left, and leads to the next one", async ({ page, open }) => {
  await open("#panel=lessons");
  const list = page.locator(".lessons li");
  await list.nth(3).getByRole("button").click();
  await square(page, "e5").dragTo(square(page, "d6"));
  await expect(answer(page)).toHaveAttribute("data-outcome", "right");
  await open("#panel=lessons");
  await expect(list.nth(3)).toContainText("1 of 4 steps done");
  await list.nth(3).getByRole("button").click();
  await expect(card(page)).toContainText("2 of 4");
  await open("#lesson=en-passant.4");
  await page.getByRole("button", { name: "Next lesson: Castling" }).click();
  await expect(card(page)).toContainText("A right to castle lasts");
});

test("lessons work in a browser that keeps nothing", async ({ page, open }) => {
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("no", "SecurityError"); } }));
  await open("#lesson=bitboards.4");
  await page.getByRole("button", { name: "Next lesson" }).click();
  await expect(card(page)).toContainText("1 of 5");
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
  // Neither the verdict nor the tabs cover it, nor the legend above it.
  const [verdict, shown, tabs, legend] = await Promise.all([page.locator(".verdict"), card(page), page.getByRole("tablist"), page.locator(".legend")].map(async (it) => (await it.boundingBox())!));
  expect(legend!.y).toBeGreaterThanOrEqual(verdict!.y + verdict!.height - 1);
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
