// One worker runs all counts, like perft on the page.

import { COUNTERS, type Perft } from "./counters.ts";

export interface Task {
  readonly library: string;
  readonly fen: string;
  readonly depth: number;
}

export interface Done {
  readonly nodes: number;
  readonly seconds: number;
}

const counters = new Map<string, Perft>();

addEventListener("message", ({ data: { library, fen, depth } }: MessageEvent<Task>) => {
  let perft = counters.get(library);
  if (!perft) {
    perft = COUNTERS[library]!();
    counters.set(library, perft);
  }
  const begun = performance.now();
  const nodes = perft(fen, depth);
  postMessage({ nodes, seconds: (performance.now() - begun) / 1000 } satisfies Done);
});

postMessage("loaded");
