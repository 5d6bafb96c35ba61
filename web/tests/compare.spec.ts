// The debugger from the user's view. Wrong divides stand for the user's program.

import { expect, test, type Page } from "./harness.ts";

async function open(page: Page, fragment: string): Promise<void> {
  await page.goto(`./#panel=compare&${fragment}`);
  // A change of the fragment alone would not reload the page.
  await page.reload();
  await expect(page.getByLabel("What it prints")).toBeVisible();
}

const paste = (page: Page, text: string) => page.getByLabel("What it prints").fill(text);
const status = (page: Page) => page.locator(".compare-status");
const row = (page: Page, uci: string) => page.locator(`.compared tr[data-move="${uci}"]`);

/** The divide of the start position, with some counts replaced. */
function divide(depth: 2 | 3, wrong: Readonly<Record<string, string | null>> = {}): string {
  const three: Record<string, number> = {
    a2a3: 380, b2b3: 420, c2c3: 420, d2d3: 539, e2e3: 599, f2f3: 380, g2g3: 420, h2h3: 380, a2a4: 420, b2b4: 421,
    c2c4: 441, d2d4: 560, e2e4: 600, f2f4: 401, g2g4: 421, h2h4: 420, b1a3: 400, b1c3: 440, g1f3: 440, g1h3: 400,
  };
  return Object.entries(three)
    .map(([move, count]) => [move, wrong[move] === undefined ? String(depth === 3 ? count : 20) : wrong[move]])
    .filter(([, count]) => count !== null)
    .map(([move, count]) => `${move}: ${count}`)
    .join("\n");
}

test("a right divide agrees", async ({ page }) => {
  await open(page, "compare=3");
  await expect(page.locator(".question")).toHaveText(/position fen rnbqkbnr.* 0 1\ngo perft 3/);
  await paste(page, `${divide(3)}\n\nNodes searched: 8902\n`);
  await expect(status(page)).toContainText("Everything agrees.");
  await expect(row(page, "e2e4")).toHaveAttribute("data-state", "same");
});

/** Pastes as a user does: the form is folded then. */
async function pasteByHand(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("What it prints");
  await field.focus();
  await field.evaluate((_, text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.activeElement!.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, text);
  await page.keyboard.insertText(text);
}

test("the verdict takes the place of the form, and the form can be had again", async ({ page }) => {
  await open(page, "compare=1");
  await pasteByHand(page, "a2a3: 1\ne2e5: 1");
  const field = page.getByLabel("What it prints");
  const change = page.getByText("Change the question or the answer");
  await expect(field).toBeHidden();
  await expect(change).toBeFocused();
  const [said, bug] = [status(page), page.locator(".diagnosis").first()];
  await expect(said).toContainText("1 illegal move");
  await expect(bug.getByRole("heading")).toBeInViewport({ ratio: 1 });
  const tops = await Promise.all([said, change, bug].map(async (it) => (await it.boundingBox())!.y));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await page.keyboard.press("Enter");
  await expect(field).toBeVisible();
  // What can't be read stays in sight.
  await field.fill("");
  await pasteByHand(page, "what is this?");
  await expect(said).toHaveAttribute("data-outcome", "unreadable");
  await expect(field).toBeVisible();
});

test("a sample leads to the bug in two clicks", async ({ page }) => {
  await open(page, "compare=3");
  await page.getByRole("button", { name: "Try a sample" }).click();
  await expect(status(page)).toContainText("1 wrong count");
  await page.getByRole("button", { name: "Next: Look into d4" }).click();
  const bug = page.locator(".diagnosis");
  await expect(bug).toHaveAttribute("data-class", /^en-passant/);
  await expect(bug).toBeInViewport({ ratio: 1 });
  await expect(row(page, "e4d3")).toHaveAttribute("data-state", "illegal");
  // Another text is no sample, also after a reload. The sample comes again by its link.
  const own = page.getByRole("button", { name: "Paste your own" });
  await page.getByText("Change the question or the answer").click();
  await expect(own).toBeVisible();
  await page.getByLabel("What it prints").fill("a4a3: 1\nNodes searched: 1");
  await expect(own).toBeHidden();
  await page.reload();
  await expect(status(page)).toContainText("5 missing moves");
  await expect(own).toBeHidden();
  await page.getByRole("link", { name: "tabiya" }).click();
  await page.getByRole("link", { name: "Find my bug" }).click();
  await expect(bug).toHaveAttribute("data-class", /^en-passant/);
  await expect(own).toBeVisible();
});

test("differing moves light up in the table and on the board", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, `${divide(3, { e2e4: "599", g1f3: null })}\ne2e5: 7\n`);
  await expect(status(page)).toContainText("Something differs.");
  await expect(row(page, "e2e4")).toHaveAttribute("data-state", "differs");
  await expect(row(page, "e2e4")).toContainText("-1");
  await expect(row(page, "g1f3")).toHaveAttribute("data-state", "missing");
  await expect(row(page, "g1f3")).toContainText("knight-missing");
  await expect(row(page, "e2e5")).toContainText("not legal");
  await expect(page.locator(".diagnosis")).toContainText(["e2e5 is illegal"]);
  await expect(row(page, "a2a3")).toHaveCount(0);
  await page.getByLabel("Only what differs").uncheck();
  await expect(row(page, "a2a3")).toHaveAttribute("data-state", "same");
});

test("a link leads to the same question", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, divide(3, { b1c3: "441" }));
  await page.getByRole("button", { name: "Next: Look into Nc3" }).click();
  await expect(page.locator(".question")).toHaveText(/ b KQkq - 1 1\ngo perft 2/);
  await page.reload();
  await expect(page.locator(".question")).toHaveText(/ b KQkq - 1 1\ngo perft 2/);
  await expect(page.getByLabel("Depth")).toHaveValue("2");
});

test("a list without counts agrees only as a list", async ({ page }) => {
  await open(page, "compare=2");
  await paste(page, divide(2).replaceAll(/: \d+/g, ""));
  await expect(status(page)).toContainText("The list of moves agrees.");
});

test("down into the move, to the class of the bug, and up again", async ({ page }) => {
  // A program that allows double pushes over a piece.
  await open(page, "compare=3");
  await paste(page, divide(3, { b1c3: "441" }));
  await page.getByRole("button", { name: "Next: Look into Nc3" }).click();
  await expect(page.locator(".question")).toHaveText(/ b KQkq - 1 1\ngo perft 2/);
  await expect(page.getByLabel("Depth")).toHaveValue("2");
  const replies = ["a7a6", "b7b6", "c7c6", "d7d6", "e7e6", "f7f6", "g7g6", "h7h6", "a7a5", "b7b5", "c7c5", "d7d5", "e7e5", "f7f5", "g7g5", "h7h5", "b8a6", "b8c6", "g8f6", "g8h6"];
  await paste(page, replies.map((move) => `${move}: ${move === "a7a6" ? 23 : 22}`).join("\n"));
  await page.getByRole("button", { name: "Look into a6", exact: true }).click();
  await expect(page.locator(".trail li")).toHaveCount(3);
  const moves = ["a2a3", "a2a4", "b2b3", "b2b4", "d2d3", "d2d4", "e2e3", "e2e4", "f2f3", "f2f4", "g2g3", "g2g4", "h2h3", "h2h4", "a1b1", "g1f3", "g1h3", "c3a4", "c3b1", "c3b5", "c3d5", "c3e4"];
  await paste(page, [...moves, "c2c4"].map((move) => `${move}: 1`).join("\n"));
  const bug = page.locator('.diagnosis[data-class="pawn-double-push-jumps"]');
  await expect(bug).toContainText("A double push jumps over a piece");
  await expect(bug).toContainText("Where to look");
  await expect(page.getByRole("button", { name: /Look into/ })).toHaveCount(0);
  await page.locator(".trail").getByRole("button", { name: "Nc3, depth 2" }).click();
  await expect(page.locator(".trail li")).toHaveCount(2);
  await expect(page.getByLabel("What it prints")).toHaveValue(/a7a6: 23/);
  await expect(row(page, "a7a6")).toHaveAttribute("data-state", "differs");
});

test("a position that is right by FEN is asked about again with the move played", async ({ page }) => {
  await open(page, "compare=2");
  await paste(page, divide(2, { e2e4: "21" }));
  await page.getByRole("button", { name: "Next: Look into e4" }).click();
  const replies = ["a7a6", "b7b6", "c7c6", "d7d6", "e7e6", "f7f6", "g7g6", "h7h6", "a7a5", "b7b5", "c7c5", "d7d5", "e7e5", "f7f5", "g7g5", "h7h5", "b8a6", "b8c6", "g8f6", "g8h6"];
  const right = replies.map((move) => `${move}: 1`).join("\n");
  await paste(page, right);
  await expect(page.locator('.diagnosis[data-class="count-wrong"]')).toBeVisible();
  await page.getByRole("button", { name: "Ask again with the move played" }).click();
  await expect(page.locator(".question")).toHaveText(/ w KQkq - 0 1 moves e2e4\ngo perft 1/);
  await paste(page, `${right}\nd7e6: 1`);
  await expect(page.locator(".diagnosis")).toHaveAttribute("data-class", "state-play");
});

test("counts of another depth are reported", async ({ page }) => {
  await open(page, "compare=4");
  await paste(page, divide(3));
  await expect(page.locator('[data-remark="otherDepth"]')).toContainText("These are the counts of depth 3");
  await expect(page.locator(".diagnosis")).toHaveCount(0);
  await page.getByRole("button", { name: "Compare with depth 3" }).click();
  await expect(page.getByLabel("Depth")).toHaveValue("3");
  await expect(status(page)).toContainText("Everything agrees.");
});

test("megabytes of garbage get a short answer", async ({ page }) => {
  await open(page, "compare=3");
  await page.getByLabel("What it prints").evaluate((field: HTMLTextAreaElement) => {
    let [bits, text] = [1, ""];
    while (text.length < 5_000_000) {
      bits = (Math.imul(bits, 1_103_515_245) + 12_345) >>> 0;
      text += bits.toString(36) + (bits % 5 === 0 ? "\n" : " ");
    }
    const data = new DataTransfer();
    data.setData("text", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(status(page)).toHaveAttribute("data-outcome", "unreadable");
  await expect(page.locator("#compare-note")).toContainText("characters are compared");
  // The page still works.
  await paste(page, divide(3));
  await expect(status(page)).toContainText("Everything agrees.");
});

test("an unreadable text, and a total alone", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, "what is this?");
  await expect(status(page)).toContainText("Nothing in this text looks like a move or a count.");
  await paste(page, "a2a3: 380\ne2e4 - 600");
  await expect(status(page)).toContainText("Line 2 can't be read: e2e4 - 600. Expected: one move in a line");
  await paste(page, "Nodes searched: 8902");
  await expect(status(page)).toContainText("Everything agrees.");
  await expect(page.locator('[data-remark="totalOnly"]')).toBeVisible();
  await paste(page, "Nodes searched: 8900");
  await expect(status(page)).toContainText("Something differs.");
});

const ILLEGAL = `${divide(3)}\nQh5: 1\nO-O: 1\ne2e5: 1`;

test("pointing at a row shows its arrow, if the move has squares", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, ILLEGAL);
  await expect(status(page)).toContainText("3 illegal moves");
  const arrows = page.locator(".arrows > *");
  await expect(arrows).toHaveCount(1);
  for (const [move, number] of [["Qh5", 0], ["O-O", 0], ["e2e5", 1]] as const) {
    await row(page, move).hover();
    await expect(arrows, move).toHaveCount(number);
  }
  await row(page, "Qh5").hover();
  await page.locator("h1").hover();
  await expect(arrows).toHaveCount(1);
  await row(page, "e2e5").hover();
  await page.getByRole("tab", { selected: true }).focus();
  await page.keyboard.press("Home");
  // Hiding the panel makes the pointer leave the row, before or after, depending on the browser.
  await row(page, "e2e5").dispatchEvent("pointerleave");
  await expect(arrows).toHaveCount(0);
});

test("the squares of a bug are marked while it has the pointer or the focus", async ({ page }) => {
  await open(page, "compare=1");
  await paste(page, "a2a3: 1\ne2e5: 1");
  const bug = page.locator(".diagnosis").first();
  const name = await bug.getAttribute("data-class");
  const marked = page.locator(`[data-square][aria-label*="${name}"]`);
  const arrows = page.locator(".arrows > *");
  const all = await arrows.count();
  expect(all).toBeGreaterThan(0);
  await bug.hover();
  await expect(marked).not.toHaveCount(0);
  await page.locator("h1").hover();
  await expect(marked).toHaveCount(0);
  await expect(arrows).toHaveCount(all);
  await bug.focus();
  await expect(marked).not.toHaveCount(0);
  await page.getByLabel("Depth").focus();
  await expect(marked).toHaveCount(0);
});

const UNPLAYABLE = "fen=8/8/8/8/8/8/8/K7_w_-_-_0_1";

test("a position that cannot be played has no question", async ({ page }) => {
  await open(page, `compare=3&${UNPLAYABLE}`);
  const controls = [
    page.getByLabel("What it prints"),
    page.getByLabel("Depth"),
    page.getByRole("button", { name: "Compare", exact: true }),
    page.getByRole("button", { name: "Copy the question" }),
  ];
  const goTo = (fragment: string) =>
    page.evaluate((hash) => (location.hash = hash), `panel=compare&compare=3&${fragment}`);
  for (const control of controls) await expect(control).toBeDisabled();
  await expect(status(page)).not.toHaveText("");
  await goTo("");
  for (const control of controls) await expect(control).toBeEnabled();
  await expect(page.locator(".question")).toContainText("go perft 3");
  await expect(status(page)).toHaveText("");
  await paste(page, divide(3, { e2e4: "599" }));
  await expect(row(page, "e2e4")).toHaveAttribute("data-state", "differs");

  await goTo(UNPLAYABLE);
  for (const control of controls) await expect(control).toBeDisabled();
  await expect(page.locator(".question")).toHaveText("");
  await expect(page.locator(".trail li, .compared")).toHaveCount(0);
  await expect(page.getByLabel("What it prints")).toHaveValue("");

  await goTo("");
  await page.getByText("Change the question or the answer").click();
  for (const control of controls) await expect(control).toBeEnabled();
  await expect(page.locator(".question")).toContainText("go perft 3");
  await expect(page.getByLabel("What it prints")).toHaveValue(/e2e4: 599/);
  await expect(row(page, "e2e4")).toHaveAttribute("data-state", "differs");
});

test("the focus stays on the filter of the table", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, divide(3, { e2e4: "599" }));
  const only = page.getByLabel("Only what differs");
  await only.focus();
  for (const rows of [20, 1]) {
    await page.keyboard.press("Space");
    await expect(page.locator(".compared tbody tr")).toHaveCount(rows);
    await expect(only).toBeFocused();
  }
});

test("a comparison is announced, once", async ({ page }) => {
  await open(page, "compare=3");
  await page.evaluate(() => {
    const said: string[] = ((window as any).said = []);
    const announcer = document.querySelector("#announcer")!;
    new MutationObserver(() => {
      if (announcer.textContent !== "") said.push(announcer.textContent!);
    }).observe(announcer, { childList: true, characterData: true, subtree: true });
  });
  await paste(page, divide(3));
  await expect(page.locator("#announcer")).toContainText("Everything agrees.");
  await expect(page.locator("#panel-compare").getByRole("status")).toHaveCount(0);
  expect(await page.evaluate(() => (window as any).said as string[])).toHaveLength(1);
});

test("a heading with the depth does not make a right divide wrong", async ({ page }) => {
  await open(page, "compare=3");
  for (const heading of ["Perft 3", "perft depth 3"]) {
    await paste(page, `${heading}\n${divide(3)}`);
    await expect(status(page)).toHaveText("Everything agrees. Right total: 8,902. Printed: 8,902.");
  }
});

test("the divide of another position names no bug", async ({ page }) => {
  await open(page, "compare=3&fen=kiwipete");
  await paste(page, divide(3));
  await expect(page.locator('[data-remark="otherPosition"]')).toHaveText("These are the moves of the start of a game.");
  await expect(page.locator(".diagnosis")).toHaveCount(0);
});

test("a pasted text outlives a reload, at each level", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, divide(3, { b1c3: "441" }));
  await page.getByRole("button", { name: "Next: Look into Nc3" }).click();
  await paste(page, "a7a6: 23");
  await expect(row(page, "a7a6")).toHaveAttribute("data-state", "differs");
  await page.reload();
  await expect(page.getByLabel("What it prints")).toHaveValue("a7a6: 23");
  await expect(row(page, "a7a6")).toHaveAttribute("data-state", "differs");
  await page.locator(".trail").getByRole("button", { name: "Start, depth 3" }).click();
  await expect(page.getByLabel("What it prints")).toHaveValue(/b1c3: 441/);
});

test("a wrong total leads to the question one ply less deep", async ({ page }) => {
  await open(page, "compare=3");
  await paste(page, "Nodes searched: 8900");
  await page.getByRole("button", { name: "Ask your program at depth 2" }).click();
  await expect(page.locator(".question")).toContainText("go perft 2");
  await expect(page.getByLabel("What it prints")).toHaveValue("");
});

test("a right count leads to the question one ply deeper", async ({ page }) => {
  await open(page, "compare=2");
  await paste(page, divide(2));
  await expect(status(page)).toContainText("Everything agrees");
  await page.getByRole("button", { name: "Ask your program at depth 3" }).click();
  await expect(page.locator(".question")).toContainText("go perft 3");
  await paste(page, divide(3));
  await expect(page.getByRole("button", { name: "Ask your program at depth 4" })).toBeVisible();
  // A list without counts says nothing about greater depths.
  await paste(page, divide(3).replaceAll(/: \d+/g, ""));
  await expect(status(page)).toContainText("The list of moves agrees");
  await expect(page.getByRole("button", { name: /Ask your program at depth/ })).toHaveCount(0);
});

test("of many wrong counts, the board shows only the next one to look into", async ({ page }) => {
  await open(page, "compare=3");
  const wrong = Object.fromEntries(["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"].map((move) => [move, "1"]));
  await paste(page, divide(3, wrong));
  await expect(page.locator(".arrow")).toHaveCount(8);
  await paste(page, divide(3, { ...wrong, g1f3: "1" }));
  await expect(status(page)).toContainText("9 wrong counts");
  await expect(page.locator(".arrow")).toHaveCount(1);
});

test("on a telephone the table says what is wrong without scrolling sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "compare=1&fen=4k3/8/b7/8/8/8/8/R3K2R_w_KQ_-_0_1&layers=none");
  await paste(page, "e1g1: 1\na1a2: 12345");
  await expect(row(page, "e1g1").locator("td").last()).toContainText("not legal");
  for (const move of ["e1g1", "a1a2"]) {
    const box = (await row(page, move).locator("td").last().boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(box.width).toBeGreaterThanOrEqual(110);
  }
});
