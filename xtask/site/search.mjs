// What a visitor finds: asks the search of the built site, in the theme's own worker, and compares the first hits.
// Usage: node search.mjs SITE

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

/** Questions, and a page that must be among the first three hits. */
const WANTED = {
  compare: "docs/compare.html",
  "how to install": "docs/install.html",
  install: "docs/install.html",
  "why is castling illegal": "docs/castling.html",
  "find my bug": "docs/compare.html",
  explorer: "docs/explorer.html",
  perft: "python/docs/perft.html",
  "python-chess": "python/docs/coming-from-python-chess.html",
  npm: "web/npm/index.html",
  "magic bitboards": "crates/tabiya/docs/explained.html",
};
const FIRST = 3;

const site = process.argv[2];
const scripts = join(site, "assets/javascripts/workers");
const worker = readdirSync(scripts).find((name) => /^search\..*\.js$/.test(name));
const answers = [];
const listeners = [];
const scope = {
  addEventListener: (type, listener) => type === "message" && listeners.push(listener),
  postMessage: (message) => answers.push(message),
  importScripts: () => {},
  location: new URL("https://site.invalid/assets/javascripts/workers/search.js"),
  URL,
  console,
};
scope.self = scope.globalThis = scope;
vm.runInNewContext(readFileSync(join(scripts, worker), "utf8"), scope);

/** Sends a message as the page does, and waits for the answer. */
async function ask(type, data) {
  answers.length = 0;
  for (const listener of listeners) await listener({ data: { type, data } });
  return answers[0].data;
}

const index = JSON.parse(readFileSync(join(site, "search/search_index.json"), "utf8"));
await ask(0, { ...index, options: { suggest: false } });
let isWrong = false;
for (const [question, page] of Object.entries(WANTED)) {
  const { items } = await ask(2, question);
  const hits = items.slice(0, FIRST).map(([hit]) => hit.location.split("#")[0]);
  if (hits.includes(page)) continue;
  isWrong = true;
  console.error(`search: "${question}" finds ${hits.join(", ")}, and not ${page}`);
}
process.exitCode = isWrong ? 1 : 0;
