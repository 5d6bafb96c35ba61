// Visits without a network, and updates from one build to the next.

import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { dist, expect, type Page, test } from "./harness.ts";
import { listFiles } from "../build/service-worker.ts";
import { serve } from "./server.ts";

test.use({ serviceWorkers: "allow" });

/** Waits until the service worker has kept the page and answers its requests. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

/** Does the page work, including the parts that it loads on demand? */
async function works(page: Page): Promise<void> {
  await expect(page.getByRole("gridcell")).toHaveCount(64);
  await page.getByRole("combobox", { name: "Positions" }).selectOption("startpos");
  // Perft needs the other half of the library, and the workers load their own copies.
  await page.getByRole("tab", { name: "Perft" }).click();
  const panel = page.locator("#panel-perft");
  await panel.getByLabel("Depth").fill("4");
  await panel.getByRole("button", { name: "Count", exact: true }).click();
  await expect(page.locator(".perft-status")).toContainText("197,281 leaf nodes");
  await page.getByRole("tab", { name: "Debugger" }).click();
  await page.getByLabel("What it prints").fill("what is this?");
  await expect(page.locator(".compare-status")).toContainText("Nothing in this text looks like a move or a count.");
}

test("works without a network after one visit", async ({ explorer, context }) => {
  await kept(explorer);
  await context.setOffline(true);
  await explorer.reload();
  await works(explorer);
});

test("works when the server is gone, in a folder and in a new tab", async ({ context }) => {
  const server = await serve(dist, "/some/folder/");
  const page = await context.newPage();
  await page.goto(server.address);
  await kept(page);
  await server.stop();
  await page.reload();
  await works(page);
  for (const rest of ["", "index.html", "?from=a-friend", "#"]) {
    const other = await context.newPage();
    await other.goto(server.address + rest);
    await works(other);
  }
});

test("works with only the network if the storage is refused", async ({ explorer, context }) => {
  await kept(explorer);
  const [worker] = context.serviceWorkers();
  await worker!.evaluate(() => {
    const refused = Object.assign(globalThis, { refused: 0 });
    const refuse = (): Promise<never> => {
      refused.refused += 1;
      return Promise.reject(new Error("refused"));
    };
    Object.assign(CacheStorage.prototype, { keys: refuse, match: refuse });
  });
  await explorer.reload();
  await works(explorer);
  expect(await worker!.evaluate(() => (globalThis as unknown as { refused: number }).refused)).toBeGreaterThan(0);
});

test("a change of only the worker makes another build", async () => {
  const names = new Set<string>();
  for (const code of ["", "/* another worker */"]) {
    const folder = await mkdtemp(join(tmpdir(), "tabiya-worker-"));
    await writeFile(join(folder, "index.html"), "<title>the same page</title>");
    await writeFile(join(folder, "sw.js"), `const build = __BUILD__;${code}`);
    await listFiles(folder);
    const written = await readFile(join(folder, "sw.js"), "utf8");
    const { name, files } = JSON.parse(/= (.*);/.exec(written)![1]!);
    expect(files).toHaveLength(1);
    names.add(name);
    await rm(folder, { recursive: true });
  }
  expect(names.size).toBe(2);
});

test("the next visit shows a new build, with none of the old files", async ({ context }) => {
  const folder = await mkdtemp(join(tmpdir(), "tabiya-builds-"));
  const [old, fresh] = [join(folder, "old"), join(folder, "new")];
  await cp(dist, old, { recursive: true });
  await cp(dist, fresh, { recursive: true });
  // Imitate a new build: another page, with its hash in the worker, as the bundler would write
  // them.
  const index = await readFile(join(old, "index.html"), "utf8");
  const changed = index.replace(/<title>.*<\/title>/, "<title>new build</title>");
  const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  const worker = await readFile(join(old, "sw.js"), "utf8");
  expect(worker).toContain(hash(index));
  const name = /name:\s*[`"]([0-9a-f]{16})|"name":"([0-9a-f]{16})"/.exec(worker);
  const build = name?.[1] ?? name?.[2];
  expect(build).toBeDefined();
  await writeFile(join(fresh, "sw.js"), worker.replace(hash(index), hash(changed)).replace(build!, "0123456789abcdef"));

  const server = await serve(old);
  const page = await context.newPage();
  await page.goto(server.address);
  await kept(page);
  const caches = () => page.evaluate(async () => (await window.caches.keys()).length);
  expect(await caches()).toBe(1);

  // Half deployed: the new worker with the old page. The old build stays complete.
  server.folder = fresh;
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update().catch(() => {});
  });
  await page.reload();
  await works(page);
  await expect(page).not.toHaveTitle("new build");
  // The reload asks for the new build once more: its cache is there until a file turns out wrong.
  await expect.poll(caches).toBe(1);

  // Completely deployed.
  await writeFile(join(fresh, "index.html"), changed);
  const taken = page.evaluate(() => new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true })).then(() => true));
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  expect(await taken).toBe(true);
  await page.reload();
  await expect(page).toHaveTitle("new build");
  await works(page);
  await server.stop();
  await page.reload();
  await expect(page).toHaveTitle("new build");
  await works(page);
  await rm(folder, { recursive: true });
});
