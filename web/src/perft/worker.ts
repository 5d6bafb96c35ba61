// Counts parts, one after the other.

import { Counter } from "../counting.ts";

import type { FromWorker, ToWorker } from "./messages.ts";

let counter: Counter | null = null;
let byCategory = false;

const say = (message: FromWorker) => postMessage(message);

function answer(message: ToWorker): void {
  if (message.kind === "setup") {
    byCategory = message.byCategory;
    counter = new Counter(message.table, byCategory, crypto.getRandomValues(new Uint8Array(32)));
    say({ kind: "ready" });
    return;
  }
  if (!counter) throw new Error("a part has come before the setup");
  const { part, fen, depth } = message;
  if (byCategory) {
    const [nodes, ...categories] = counter.categories(fen, depth);
    say({ kind: "counted", part, nodes, categories });
  } else {
    say({ kind: "counted", part, nodes: counter.count(fen, depth), categories: [] });
  }
}

addEventListener("message", (event: MessageEvent<ToWorker>) => {
  try {
    answer(event.data);
  } catch (error) {
    say({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});

// Messages that arrive before this module is loaded would be lost.
say({ kind: "loaded" });
