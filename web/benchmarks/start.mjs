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

/** Processor time of all processes of the browser, in milliseconds. */
async function processorTime(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
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

const session = await browser.newBrowserCDPSession();
const times = [];
const processor = [];
for (let load = 0; load <= LOADS; load++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const before = await processorTime(session);
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.firstBoard);
  const after = await processorTime(session);
  // The first load also starts the browser.
  if (load > 0) {
    times.push(await page.evaluate(() => globalThis.firstBoard));
    processor.push(after - before);
  }
  await context.close();
}
await browser.close();
await server.close();

const shown = (values) => `median ${median(values).toFixed(0)} ms, least ${Math.min(...values).toFixed(0)} ms, most ${Math.max(...values).toFixed(0)} ms`;
console.log(`first board, ${LOADS} loads: ${shown(times)}`);
console.log(`processor time of the browser until then: ${shown(processor)}`);
