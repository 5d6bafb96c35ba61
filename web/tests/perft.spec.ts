// The panel of perft from the user's view.

import { expect, test, type Page } from "./harness.ts";

const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1";

async function open(page: Page, fragment: string): Promise<void> {
  await page.goto(`./#panel=perft&${fragment}`);
  // A change of the fragment alone would not reload the page.
  await page.reload();
  await expect(page.getByRole("button", { name: "Count", exact: true })).toBeVisible();
}

const count = (page: Page) => page.getByRole("button", { name: "Count", exact: true }).click();
const status = (page: Page) => page.locator(".perft-status");

test("counts the start position, with the divide and the published number", async ({ page }) => {
  await open(page, "perft=5");
  await count(page);
  await expect(status(page)).toContainText("4,865,609 leaf nodes");
  await expect(status(page)).toContainText("This is the published number.");
  const rows = page.locator(".divide tbody tr");
  await expect(rows).toHaveCount(20);
  await expect(rows.first()).toContainText("a2a3");
  await page.getByRole("button", { name: "Leaf nodes" }).click();
  await expect(rows.first()).toContainText("e2e4");
  await expect(rows.first()).toContainText("405,385");
  await expect(page.locator('.divide th[aria-sort="descending"]')).toHaveCount(1);
});

test("one worker and several, with and without a table, count the same", async ({ page }) => {
  for (const options of ["workers=1", "workers=3", "workers=2&table=16"]) {
    await open(page, `fen=${KIWIPETE}&perft=4&${options}`);
    await count(page);
    await expect(status(page), options).toContainText("4,085,603 leaf nodes");
  }
});

test("counts by category", async ({ page }) => {
  await open(page, `fen=${KIWIPETE}&perft=3&categories=1`);
  await count(page);
  await expect(status(page)).toContainText("97,862 leaf nodes");
  const row = (title: string) => page.locator(".perft-categories tr").filter({ has: page.getByRole("rowheader", { name: title, exact: true }) });
  await expect(row("Captures")).toContainText("17,102");
  await expect(row("En passant")).toContainText("45");
  await expect(row("Castling")).toContainText("3,162");
  // Categories without leaf nodes are folded away.
  await expect(row("Promotions")).toBeHidden();
  await expect(page.locator(".perft-categories .note")).toContainText("Promotions to a knight");
  await expect(page.locator('.divide [data-move="e1g1"]')).toContainText("2,059");
  await open(page, `fen=${KIWIPETE}&perft=1&categories=1`);
  await count(page);
  await expect(status(page)).toContainText("48 leaf nodes");
  await expect(row("Captures")).toContainText("8");
});

test("a stopped count keeps its results", async ({ page }) => {
  await open(page, "perft=9&workers=2");
  await count(page);
  await expect(page.locator(".divide tbody tr").first()).toContainText(/[1-9]/);
  await expect.poll(() => page.workers().length).toBe(2);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(status(page)).toContainText("Stopped:");
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(page.locator(".divide tbody tr.incomplete").first()).toBeVisible();
  const text = await status(page).textContent();
  await page.waitForTimeout(300);
  expect(await status(page).textContent()).toBe(text);
});

test("another position asks before a count is dropped", async ({ page }) => {
  await open(page, "perft=9");
  await count(page);
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  await page.getByRole("textbox", { name: "Position, game or moves" }).fill("kiwipete");
  await page.keyboard.press("Enter");
  // The count is not thrown away without a question.
  await expect(page.locator(".notice")).toContainText("The count goes on");
  expect(page.workers().length).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Back to that position" }).click();
  await expect(page.locator(".notice")).toBeHidden();
  await expect(status(page)).toContainText("Counting");
  await page.locator('[role=gridcell][data-square="e2"]').click();
  await page.locator('[role=gridcell][data-square="e4"]').click();
  await page.getByRole("button", { name: "End the count" }).click();
  await expect(page.locator(".notice")).toBeHidden();
  await expect.poll(() => page.workers().length).toBe(0);
  await expect(page.locator(".divide")).toBeHidden();
});

test("a closed tab ends its workers, and another tab continues to count", async ({ context }) => {
  const closed = await context.newPage();
  await open(closed, "perft=9&workers=2");
  await count(closed);
  await expect.poll(() => closed.workers().length).toBe(2);
  let ended = 0;
  closed.workers().forEach((worker) => worker.on("close", () => (ended += 1)));
  await closed.close();
  await expect.poll(() => ended).toBe(2);
  const other = await context.newPage();
  await open(other, "perft=4");
  await count(other);
  await expect(status(other)).toContainText("197,281 leaf nodes");
});

test("a failed worker is reported, and another one counts its part", async ({ page }) => {
  // The second worker of the page cannot count: its first part throws. The first worker waits for
  // that. Otherwise it might count everything before.
  await page.addInitScript(() => {
    const Real = window.Worker;
    let hired = 0;
    let hasFailed = (): void => undefined;
    const failure = new Promise<void>((resolve) => (hasFailed = resolve));
    window.Worker = class extends Real {
      readonly #isBroken = (hired += 1) === 2;
      override postMessage(message: any): void {
        if (message.kind !== "work") {
          super.postMessage(message);
        } else if (this.#isBroken) {
          super.postMessage({ ...message, fen: "no position" });
          hasFailed();
        } else {
          void failure.then(() => super.postMessage(message));
        }
      }
    } as typeof Worker;
  });
  await open(page, "perft=5&workers=2");
  await count(page);
  await expect(status(page)).toContainText("4,865,609 leaf nodes");
  await expect(status(page)).toContainText("1 worker failed");
});

test("workers that cannot be loaded end the count with a message", async ({ page, problems }) => {
  await page.route(/worker-.*\.js/, (route) => route.abort());
  await open(page, "perft=5&workers=2");
  await count(page);
  await expect(status(page)).toContainText("The count failed:");
  await expect(page.getByRole("button", { name: "Count", exact: true })).toBeEnabled();
  // The console reports it as well.
  problems.length = 0;
});

test("wrong depths are refused, and positions without moves are counted", async ({ page }) => {
  await open(page, "fen=7k/6Q1/6K1/8/8/8/8/8_b_-_-_0_1&perft=3");
  await count(page);
  await expect(status(page)).toContainText("0 leaf nodes");
  for (const depth of ["0", "-1", "99", "1.5"]) {
    await page.getByLabel("Depth").fill(depth);
    await count(page);
    expect(await page.getByLabel("Depth").evaluate((input: HTMLInputElement) => input.checkValidity())).toBe(false);
  }
});

test("the divide is copied as the command prints it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "perft=3");
  await count(page);
  await expect(status(page)).toContainText("8,902 leaf nodes");
  await page.getByRole("button", { name: "Copy as text" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("move  nodes\na2a3    380\na2a4    420\n");
  await page.getByRole("button", { name: "Copy as JSON" }).click();
  await expect.poll(async () => (await copied()).startsWith("{")).toBe(true);
  const json = JSON.parse(await copied()) as { nodes: string; divide: { move: string; nodes: string }[] };
  expect(json.nodes).toBe("8902");
  expect(json.divide.length).toBe(20);
});

/** Records the announcements to screen readers. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = ((window as any).said = []);
    const announcer = document.querySelector("#announcer")!;
    new MutationObserver(() => {
      if (announcer.textContent !== "") said.push(announcer.textContent!);
    }).observe(announcer, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => (window as any).said as string[]);
}

test("the end of a count is announced, once", async ({ page }) => {
  for (const [depth, nodes] of [[3, "8,902"], [6, "119,060,324"]] as const) {
    await open(page, `perft=${depth}`);
    const said = await listen(page);
    await count(page);
    await expect(page.locator("#announcer")).toContainText(`Counted: ${nodes} leaf nodes`);
    await expect.poll(said).toHaveLength(2);
    expect((await said())[0]).toBe("Counting has begun.");
    expect((await said())[1]).toBe(await status(page).textContent());
    await expect(page.locator("#panel-perft").getByRole("status")).toHaveCount(0);
  }
});

test("a count that is dropped with its position does not announce its end", async ({ page }) => {
  await open(page, "perft=9");
  const said = await listen(page);
  await count(page);
  await expect(status(page)).toContainText("Counting");
  await page.evaluate((fen) => (location.hash = `panel=perft&fen=${fen}`), KIWIPETE);
  await page.getByRole("button", { name: "End the count" }).click();
  await expect(status(page)).toHaveText("");
  await expect.poll(() => page.workers().length).toBe(0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect((await said()).join()).not.toContain("Stopped");
});

test("a running count keeps its rows and is drawn a few times per second", async ({ page }) => {
  await open(page, `fen=${KIWIPETE}&perft=8&workers=2`);
  await count(page);
  const row = page.locator('.divide [data-move="a2a3"]');
  await row.evaluate((element) => (element.dataset.kept = "yes"));
  await expect(status(page)).toContainText(/Counting to depth 8: [1-9].* left/);
  const rate = await status(page).evaluate(async (element) => {
    const begin = performance.now();
    for (let drawings = 0; drawings < 4; drawings++) {
      await new Promise((drawn) => new MutationObserver(drawn).observe(element, { childList: true }));
    }
    return 4000 / (performance.now() - begin);
  });
  expect(rate).toBeLessThanOrEqual(5.5);
  // A part of a count has no bar, which would look like a finished one.
  const bars = await page.locator(".divide .incomplete .bar").evaluateAll((found) => found.map((bar) => (bar as HTMLElement).style.width));
  expect(bars.length).toBeGreaterThan(0);
  expect(new Set(bars)).toEqual(new Set(["0px"]));
  await expect(row).toHaveAttribute("data-kept", "yes");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(status(page)).toContainText(/[1-9][\d.,]* million per second\.$/);
  await expect(row).toHaveAttribute("data-kept", "yes");
});

test("a short count has no rate of 0", async ({ page }) => {
  await open(page, "perft=1");
  await count(page);
  await expect(status(page)).toHaveText(/^Counted: 20 leaf nodes to depth 1 in \d\.\d\d s(, [1-9][\d,]* per second)?\. This/);
});

test("the arrow of a move disappears when its row loses the pointer or the panel changes", async ({ page }) => {
  await open(page, "perft=3");
  await count(page);
  await expect(status(page)).toContainText("Counted:");
  const row = page.locator('.divide [data-move="e2e4"]');
  const arrows = page.locator(".arrows > *");
  await row.hover();
  await expect(arrows).toHaveCount(1);
  await page.locator("h1").hover();
  await expect(arrows).toHaveCount(0);
  await row.hover();
  await expect(arrows).toHaveCount(1);
  // Use the keyboard, so that the pointer stays.
  await page.getByRole("tab", { selected: true }).focus();
  await page.keyboard.press("Home");
  await expect(arrows).toHaveCount(0);
});

test("the message about an unplayable position disappears with it", async ({ page }) => {
  await open(page, "fen=8/8/8/8/8/8/8/K7_w_-_-_0_1");
  const button = page.getByRole("button", { name: "Count", exact: true });
  await expect(status(page)).not.toHaveText("");
  await expect(button).toBeDisabled();
  await page.evaluate(() => (location.hash = "panel=perft&perft=2"));
  await expect(button).toBeEnabled();
  await expect(status(page)).toHaveText("");
  await button.click();
  await expect(status(page)).toContainText("400 leaf nodes");
});

test("the clock of a count moves before anything has been counted", async ({ page }) => {
  // No part of depth 14 is finished within hours.
  await open(page, "perft=14&workers=1");
  await count(page);
  await expect(status(page)).toContainText("nothing is finished yet");
  const clock = async () => Number(/([\d.]+) s/.exec((await status(page).textContent())!)![1]);
  const before = await clock();
  await expect.poll(clock).toBeGreaterThan(before);
  const first = page.locator(".divide tbody tr").first();
  await expect(first.locator("td span").first()).toHaveText("–");
  await expect(first.locator(".share")).toHaveText("–");
  await page.getByRole("button", { name: "Stop" }).click();
});

test("shares are those of the whole count", async ({ page }) => {
  await open(page, "perft=3");
  await count(page);
  await expect(status(page)).toContainText("8,902 leaf nodes");
  await expect(page.locator('.divide [data-move="e2e4"] .share')).toHaveText("6.7 %");
});
