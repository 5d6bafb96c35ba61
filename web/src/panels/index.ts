// The panels in the order of their tabs.

import type { Panel } from "../page.ts";
import { CalculatorPanel } from "./calculator.ts";
import { ComparePanel } from "./compare.ts";
import { LayersPanel } from "./layers.ts";
import { MethodsPanel } from "./methods.ts";
import { MovesPanel } from "./moves.ts";
import { PerftPanel } from "./perft.ts";

export const PANEL_LIST: readonly Panel[] = [
  new LayersPanel(),
  new MovesPanel(),
  new MethodsPanel(),
  new CalculatorPanel(),
  new PerftPanel(),
  new ComparePanel(),
];
