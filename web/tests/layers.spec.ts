// The layers: on the board, as numbers and in words, compared with the library's sets.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import loading, { layerKinds, Scene } from "../pkg/tabiya.js";
import { GROUPS } from "../src/panels/layer-groups.ts";
import { titles } from "../src/texts/layers.ts";
import { expect, type Page, test } from "./harness.ts";

// The module that the page starts with, here in Node.
loading.loadSync(readFileSync(new URL("../pkg/tabiya_bg.wasm", import.meta.url)));

const square = (page: Page, name: string) => page.locator(`[role=gridcell][data-square=${name}]`);
const layer = (page: Page, name: string) => page.locator(`[data-layer="${name}"]`);
const PINNED = "4r2k/8/8/8/8/3n4/4B3/4K3_w_-_-_0_1";

test("a layer is shown on the board, as a number and in words", async ({ page, open }) => {
  await open(`#fen=${PINNED}&layers=none`);
  await expect(page.locator(".grid .mark")).toHaveCount(0);
  await page.getByRole("checkbox", { name: /^Pinned pieces pinned / }).check();
  await expect(square(page, "e2").locator(".mark.tint.color-1")).toHaveCount(1);
  await expect(square(page, "e2")).toHaveAttribute("aria-label", /in pinned pieces/);
  await expect(layer(page, "pinned").locator(".hex")).toHaveText("0x0000_0000_0000_1000");
  await expect(layer(page, "pinned").getByRole("img")).toHaveAttribute("aria-label", "pinned pieces: e2");
  await page.getByRole("button", { name: "Hide pinned pieces" }).click();
  await expect(page.locator(".grid .mark")).toHaveCount(0);
});

test("every layer has a name in words and is in one group, and every entry is a layer", () => {
  const kinds = layerKinds().map((kind) => kind.name + kind.form);
  const grouped = Object.values(GROUPS).flat();
  const named = kinds.filter((kind) => kind !== "board").toSorted();
  expect(grouped.toSorted()).toEqual(named);
  expect(Object.keys(titles).toSorted()).toEqual(named);
});

test("numbers count from a1 or from a8, and are copied for programs", async ({ page, open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(`#fen=${PINNED}&layers=pinned`);
  const copied = async (language: string) => {
    await layer(page, "pinned").getByRole("button", { name: `Copy as ${language}` }).click();
    await expect(page.locator("#announcer")).toHaveText("Copied.");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied("Rust")).toBe("0x0000_0000_0000_1000_u64");
  expect(await copied("C")).toBe("0x0000000000001000ULL");
  expect(await copied("Python")).toBe("0x0000_0000_0000_1000");
  await page.getByRole("radio", { name: "a8" }).check();
  await expect(layer(page, "pinned").locator(".hex")).toHaveText("0x0010_0000_0000_0000");
});

test("a square says which sets hold it and why", async ({ page, open }) => {
  await open(`#fen=${PINNED}&layers=pinned,checkers,king-danger`);
  await square(page, "e2").hover();
  await expect(page.locator(".why")).toContainText("pinned on the e-file by the rook on e8");
  await square(page, "d3").focus();
  await expect(page.locator(".why")).toContainText("the knight on d3 gives check to the king on e1");
  await square(page, "h1").hover();
  await expect(page.locator(".why")).toContainText("h1 is in none of the sets shown");
});

test("layers of the chosen square follow it", async ({ page, open }) => {
  await open("#fen=kiwipete&layers=none");
  await page.getByText("A piece on the chosen square").click();
  await page.getByRole("checkbox", { name: /^Attacks from the chosen square/ }).check();
  await expect(page.locator(".layer .note")).toHaveText("Choose a square on the board for these layers.");
  await square(page, "c3").click();
  await expect(layer(page, "attacks:c3").locator(".count")).toHaveText("8 squares");
  await square(page, "e1").click();
  await expect(layer(page, "attacks:e1").locator(".count")).toHaveText("5 squares");
  await expect(page).toHaveURL(/layers=attacks:/);
});

test("a layer by name, and names that are none", async ({ page, open }) => {
  await open("#layers=none");
  const field = page.getByRole("combobox", { name: "Layer by name" });
  const write = async (name: string) => {
    await field.fill(name);
    await field.press("Enter");
  };
  await write("between:a1-a8");
  await expect(layer(page, "between:a1-a8").locator(".count")).toHaveText("6 squares");
  // A wrong name stays in the field, and takes no place among the eight.
  for (const [name, error] of [["pinnd", "did you mean pinned?"], ["zz9", "There is no layer"], ["attacks:red", "needs a square, such as e4, or white or black"]] as const) {
    await write(name);
    await expect(page.locator("#layer-problem")).toContainText(error);
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveValue(name);
    await expect(page.locator(".layer")).toHaveCount(1);
  }
  await write("pinned");
  await expect(page.locator("#layer-problem")).toHaveCount(0);
  await expect(page.locator(".layer")).toHaveCount(2);
  // A layer that only lacks a piece here is one.
  await write("attacks:e5");
  await expect(layer(page, "attacks:e5").locator(".note")).toHaveText("e5 is empty.");
  await expect(layer(page, "attacks:e5").getByRole("button")).toHaveText(["×"]);
});

test("an address with a layer that is none is told so, and shows the others", async ({ page, open }) => {
  await open("#layers=foo,checkers,pinnd");
  await expect(page.locator("#answer")).toContainText('there is no layer "foo"');
  await expect(page.locator("#answer")).toContainText("did you mean pinned?");
  await expect(page.locator(".layer")).toHaveCount(1);
  await expect(page).toHaveURL(/layers=checkers$/);
});

test("a set of all squares or of none is said and not drawn", async ({ page, open }) => {
  await open("#fen=kiwipete&layers=check-mask,pinned,between:a1-b3");
  await expect(page.locator(".grid .mark")).toHaveCount(0);
  const entry = (name: string) => page.locator(`[data-legend="${name}"]`);
  await expect(entry("check-mask")).toContainText("Check mask: all squares, since there's no check");
  await expect(entry("pinned")).toContainText("Pinned pieces: none");
  await expect(layer(page, "between:a1-b3").locator(".note")).toHaveText("None, because a1 and b3 do not share a line.");
  await expect(layer(page, "check-mask").getByRole("img")).toHaveCount(0);
  await expect(layer(page, "check-mask").locator(".hex")).toHaveText("0xffff_ffff_ffff_ffff");
});

test("the legend names the layers in words, and switches them", async ({ page, open }) => {
  await open(`#fen=${PINNED}&layers=pinned,king-danger`);
  const entry = (name: string) => page.locator(`[data-legend="${name}"]`).getByRole("button");
  await expect(entry("pinned")).toHaveAttribute("aria-pressed", "true");
  await expect(entry("pinned")).toHaveText("Pinned piecespinned");
  await entry("king-danger").click();
  await expect(entry("king-danger")).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator(".grid .mark.color-5")).toHaveCount(0);
  await expect(square(page, "e2").locator(".mark.color-1")).toHaveCount(1);
  await page.reload();
  await expect(entry("king-danger")).toHaveAttribute("aria-pressed", "false");
  await entry("king-danger").click();
  await expect(page.locator(".grid .mark.color-5")).not.toHaveCount(0);
  // The reason of an illegal move is in the legend as well.
  await square(page, "e2").dragTo(square(page, "d3"));
  await expect(page.locator(".legend")).toContainText("the line that matters");
});

test("other panels show no layers until they are switched on there", async ({ page, open }) => {
  await open(`#fen=${PINNED}&layers=pinned,king-danger`);
  await expect(page.locator(".grid .mark")).not.toHaveCount(0);
  for (const panel of ["Moves", "Perft", "Debugger", "Lessons"]) {
    await page.getByRole("tab", { name: panel }).click();
    await expect(page.locator(".grid .mark")).toHaveCount(0);
  }
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.getByRole("button", { name: "Show 2 layers here" }).click();
  await expect(square(page, "e2").locator(".mark.color-1")).toHaveCount(1);
  await page.reload();
  await expect(square(page, "e2").locator(".mark.color-1")).toHaveCount(1);
  await page.getByRole("button", { name: "Hide the layers here" }).click();
  await expect(page.locator(".grid .mark")).toHaveCount(0);
});

test("three layers are tints that share a square, and no two patterns look the same", async ({ page, open }) => {
  await open("#layers=white,black,pawns,knights,bishops,rooks,queens,kings");
  await expect(page.locator(".legend .mark")).toHaveCount(8);
  const styles = await page.locator(".legend .mark").evaluateAll((marks) => marks.map((mark) => mark.classList[1]));
  expect(styles.slice(0, 3)).toEqual(["tint", "tint", "tint"]);
  expect(new Set(styles.slice(2)).size).toBe(6);
  expect(styles).not.toContain("hatch");
  await expect(square(page, "e2").locator(".mark")).toHaveClass([/part-1-of-2/, /part-2-of-2/]);
  await expect(square(page, "e1").locator(".mark.tint")).not.toHaveClass(/part/);
});

test("the pieces are above all marks and arrows", async ({ page, open }) => {
  await open(`#fen=${PINNED}&layers=white,occupancy,bishops,kings,pinned`);
  await square(page, "e2").dragTo(square(page, "d3"));
  await expect(page.locator(".arrow.bad")).toHaveCount(1);
  const above = await page.evaluate(() => {
    const [piece, others] = [document.querySelector('[data-square="e2"] .piece')!, document.querySelectorAll('[data-square="e2"] .mark, .arrows')];
    const level = (it: Element) => Number(getComputedStyle(it).zIndex) || 0;
    return [...others].every((it) => level(it) < level(piece));
  });
  expect(above).toBe(true);
});

test("eight layers fit, and no more", async ({ page, open }) => {
  await open("#layers=white,black,pawns,knights,bishops,rooks,queens,kings");
  await expect(page.locator(".layer")).toHaveCount(8);
  await expect(page.getByRole("checkbox", { name: /^Checking pieces/ })).toBeDisabled();
  // If an address has more than eight layers, the first eight are shown.
  await open("#layers=white,black,pawns,knights,bishops,rooks,queens,kings,checkers");
  await expect(page.locator(".layer")).toHaveCount(8);
});

test("a position that cannot be played has the layers of its pieces", async ({ page, open }) => {
  await open("#fen=8/8/8/8/8/8/8/K7_w_-_-_0_1&layers=white,checkers");
  await expect(layer(page, "white").locator(".count")).toHaveText("1 square");
  await expect(layer(page, "checkers").locator(".note")).not.toHaveText("");
});

/** The project's command. Its output for the same position does not come from WebAssembly. */
const command = process.env.TABIYA_COMMAND;

/** Every layer that needs no square, and some that do. */
function names(): string[] {
  return layerKinds().flatMap(({ name, form }) => {
    switch (form) {
      case "": return [name];
      case ":COLOR": return [`${name}:white`, `${name}:black`];
      case ":SQ": return /^(attacks|xray|relevant|pin-line|targets)$/.test(name) ? [] : [`${name}:d4`];
      case ":SQ-DIR": return [`${name}:c3-ne`];
      default: return [`${name}:a1-h8`];
    }
  });
}

function positions(): string[] {
  const suites = ["standard", "rules", "rules-chess960", "regression", "regression-chess960"];
  return suites.flatMap((suite) => {
    const text = readFileSync(new URL(`../../suites/${suite}.epd`, import.meta.url), "utf8");
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return lines.map((line) => line.split(";")[0]!.trim());
  });
}

/** The command's output for a position, with the page's notation. */
function printed(fen: string, list: readonly string[]): [string, bigint][] {
  const text = execFileSync(command!, ["show", "--json", "--fen", fen, "--layer", list.join(",")], { encoding: "utf8" });
  return JSON.parse(text).layers.map(({ name, bits }: { name: string; bits: string }) => [name, BigInt(bits)]);
}

test("the page shows the library's sets", async ({ page, open }) => {
  test.skip(command === undefined, "$TABIYA_COMMAND does not name the command of the project");
  const list = names();
  for (const fen of positions().slice(0, 6)) {
    for (let at = 0; at < list.length; at += 8) {
      const eight = list.slice(at, at + 8);
      await open(`#fen=${fen.replaceAll(" ", "_")}&layers=${eight.join(",")}`);
      for (const [name, bits] of printed(fen, eight)) {
        const digits = bits.toString(16).padStart(16, "0").match(/.{4}/g)!.join("_");
        await expect(layer(page, name).locator(".hex"), `${name} of ${fen}`).toHaveText(`0x${digits}`);
        // The marks on the board are on the same squares, unless the set has none of them or all.
        const color = [1, 5, 4, 2, 3, 6, 8, 7][eight.indexOf(name)]!;
        const marks = await page.locator(`.grid .mark.color-${color}`).count();
        const squares = [...bits.toString(2)].filter((bit) => bit === "1").length;
        expect(marks, `${name} of ${fen}`).toBe(squares === 64 ? 0 : squares);
      }
    }
  }
});

test("the sets in all positions of the suites are those of the library", () => {
  test.skip(command === undefined, "$TABIYA_COMMAND does not name the command of the project");
  const list = names();
  const all = positions();
  expect(all.length).toBeGreaterThan(500);
  for (const fen of all) {
    const expected = printed(fen, list);
    const found = new Scene(fen, "").layers(list).map(({ name, squares }) => [name, squares]);
    expect(found, fen).toEqual(expected);
  }
});
