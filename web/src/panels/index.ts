// The panels.

import type { Panel } from "../page.ts";
import type { PanelId } from "../state.ts";
import { CalculatorPanel } from "./calculator.ts";
import { LayersPanel } from "./layers.ts";
import { MethodsPanel } from "./methods.ts";
import { MovesPanel } from "./moves.ts";

/** The functions that create panels. Panels that count also load the larger part of the library. */
const OPEN: Readonly<Record<PanelId, () => Panel | Promise<Panel>>> = {
  layers: () => new LayersPanel(),
  moves: () => new MovesPanel(),
  methods: () => new MethodsPanel(),
  calculator: () => new CalculatorPanel(),
  perft: async () => new (await import("./perft.ts")).PerftPanel(),
  compare: async () => new (await import("./compare.ts")).ComparePanel(),
};

export function openPanel(id: PanelId): Panel | Promise<Panel> {
  return OPEN[id]();
}
