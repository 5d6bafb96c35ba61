import { execFileSync } from "node:child_process";

import { expect, test } from "./harness.ts";

/** The compressed size that static hosts send. Node's own compressor packs less densely than gzip. */
const compressed = (body: Buffer) => execFileSync("gzip", ["-9", "-c"], { input: body }).length;

/** The limit on a first visit's download, compressed, in bytes. */
const LIMIT = 200_000;

// A first visit starts it.
test.use({ serviceWorkers: "allow" });

test("a first visit loads at most 200 kB", async ({ page, server }) => {
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    // The page does not wait for files that the service worker fetches for later visits.
    if (response.request().serviceWorker()) return;
    sizes.set(response.url(), response.body().then(compressed));
  });
  await page.goto(server.address, { waitUntil: "networkidle" });
  const sorted = (await Promise.all([...sizes].map(async ([url, size]) => [url, await size] as const)))
    .sort((a, b) => b[1] - a[1]);
  const total = sorted.reduce((sum, [, size]) => sum + size, 0);
  const shown = sorted.map(([url, size]) => `${size} ${url.slice(server.address.length)}`).join("\n");
  expect(sorted.some(([url]) => url.endsWith(".wasm")), shown).toBe(true);
  expect(total, shown).toBeLessThanOrEqual(LIMIT);
});

test("the module is downloaded before the scripts that use it are there", async ({ page, server }) => {
  let arrived = () => {};
  const module = new Promise<void>((resolve) => (arrived = resolve));
  await page.route(/\.wasm$/, (route) => {
    arrived();
    return route.continue();
  });
  await page.route(/\/(main|library)-[^/]*\.js$/, async (route) => {
    await module;
    await route.continue();
  });
  await page.goto(server.address);
  await expect(page.locator(".grid .piece")).not.toHaveCount(0);
});
