// The panels.

import type { Panel } from "../page.ts";
import type { PanelId } from "../state.ts";
import { LayersPanel } from "./layers.ts";
import { MovesPanel } from "./moves.ts";

/**
 * The functions that create panels. The first two are there from the start, and the others are
 * loaded when they are needed. Panels that count also load the larger part of the library.
 */
const OPEN: Readonly<Record<PanelId, () => Panel | Promise<Panel>>> = {
  layers: () => new LayersPanel(),
  moves: () => new MovesPanel(),
  methods: async () => new (await import("./methods.ts")).MethodsPanel(),
  calculator: async () => new (await import("./calculator.ts")).CalculatorPanel(),
  perft: async () => new (await import("./perft.ts")).PerftPanel(),
  compare: async () => new (await import("./compare.ts")).ComparePanel(),
  lessons: async () => new (await import("./lessons.ts")).LessonsPanel(),
};

export function openPanel(id: PanelId): Panel | Promise<Panel> {
  return OPEN[id]();
}
