// Perft in Chromium: this library against chessops and chess.js. One browser, one worker, one run;
// the libraries take turns, and the medians are printed.
//
//     npm run benchmark

import { fileURLToPath } from "node:url";

import { chromium } from "@playwright/test";
import { build, preview } from "vite";

import { browserPath, median } from "./common.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/** The slower libraries count to smaller depths, because only the rates are compared. */
const TASKS = [
  { name: "start position", fen: START, depth: { tabiya: 6, others: 5 }, counts: { 5: 4_865_609, 6: 119_060_324 } },
  { name: "kiwipete", fen: KIWIPETE, depth: { tabiya: 5, others: 4 }, counts: { 4: 4_085_603, 5: 193_690_690 } },
];
const LIBRARIES = ["tabiya", "chessops", "chess.js"];
const ROUNDS = Number(process.env["ROUNDS"] ?? 5);

const root = fileURLToPath(new URL(".", import.meta.url));
const options = {
  root,
  base: "./",
  configFile: false,
  logLevel: "error",
  worker: { format: "es" },
  build: { outDir: "../dist-benchmark", emptyOutDir: true, target: "es2023", rolldownOptions: { input: `${root}perft.html` } },
};

await build(options);
const server = await preview({ ...options, preview: { port: 0 } });
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  const page = await browser.newPage();
  await page.goto(`${server.resolvedUrls.local[0]}perft.html`);
  await page.waitForFunction(() => "count" in window);
  const count = (task) => page.evaluate((task) => window.count(task), task);
  console.log(`Chromium ${browser.version()}, one worker, medians of ${ROUNDS} rounds, million leaf nodes a second\n`);
  console.log(["position".padEnd(16), ...LIBRARIES.map((name) => name.padStart(10)), "ratio to the faster".padStart(22)].join(""));
  for (const { name, fen, depth, counts } of TASKS) {
    const rates = new Map(LIBRARIES.map((library) => [library, []]));
    // The first round is only a warm-up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const library of LIBRARIES) {
        const plies = library === "tabiya" ? depth.tabiya : depth.others;
        const { nodes, seconds } = await count({ library, fen, depth: plies });
        const right = counts[plies];
        if (nodes !== right) throw new Error(`${library} counts ${nodes} instead of ${right}: ${name}, depth ${plies}`);
        if (round > 0) rates.get(library).push(nodes / seconds / 1e6);
      }
    }
    const medians = LIBRARIES.map((library) => median(rates.get(library)));
    const [ours, ...others] = medians;
    const ratio = ours / Math.max(...others);
    console.log([name.padEnd(16), ...medians.map((rate) => rate.toFixed(rate < 10 ? 2 : 0).padStart(10)), `${ratio.toFixed(0)} times`.padStart(22)].join(""));
  }
} finally {
  await browser.close();
  await server.close();
}
