// The panels in the order of their tabs.

import type { Panel } from "../page.ts";
import { CalculatorPanel } from "./calculator.ts";
import { LayersPanel } from "./layers.ts";
import { LazyPanel } from "./lazy.ts";
import { MethodsPanel } from "./methods.ts";
import { MovesPanel } from "./moves.ts";

export const PANEL_LIST: readonly Panel[] = [
  new LayersPanel(),
  new MovesPanel(),
  new MethodsPanel(),
  new CalculatorPanel(),
  new LazyPanel("perft", async () => new (await import("./perft.ts")).PerftPanel()),
  new LazyPanel("compare", async () => new (await import("./compare.ts")).ComparePanel()),
];
