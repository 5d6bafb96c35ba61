import { dist, expect, type Page, test } from "./harness.ts";
import { serve } from "./server.ts";

/** Until the service worker has kept the page and answers its requests. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

/** Is the page there, and does the code in WebAssembly run? */
async function works(page: Page): Promise<void> {
  await expect(page.getByRole("gridcell")).toHaveCount(64);
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
