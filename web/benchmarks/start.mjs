// The time until the first board: from the start of the navigation to the frame that shows the
// pieces. Each load has a fresh profile, so nothing is cached; the files are served from this machine.
//
//     npm run benchmark:start

import { chromium } from "@playwright/test";
import { preview } from "vite";

import { browserPath, median } from "./common.mjs";

const LOADS = Number(process.env["LOADS"] ?? 21);

const server = await preview({ preview: { host: "127.0.0.1", port: 4391, strictPort: false }, logLevel: "error" });
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });

/** Processor time of the page's main thread so far, in milliseconds. */
async function processorTime(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

/** Notes in the page when the first piece has been painted. */
function watch() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".piece")) return;
    observer.disconnect();
    // The second frame begins when the first one has been drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.firstBoard = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
}

const times = [];
const processor = [];
for (let load = 0; load <= LOADS; load++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(watch);
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.firstBoard);
  const used = await processorTime(session);
  // The first load also starts the browser.
  if (load > 0) {
    times.push(await page.evaluate(() => globalThis.firstBoard));
    processor.push(used);
  }
  await context.close();
}
await browser.close();
await server.close();

const shown = (values) => `median ${median(values).toFixed(0)} ms, least ${Math.min(...values).toFixed(0)} ms, most ${Math.max(...values).toFixed(0)} ms`;
console.log(`first board, ${LOADS} loads: ${shown(times)}`);
console.log(`processor time of the main thread until then: ${shown(processor)}`);
