// The panels in the order of their tabs.

import type { Panel } from "../page.ts";
import { LayersPanel } from "./layers.ts";
import { MovesPanel } from "./moves.ts";

export const PANEL_LIST: readonly Panel[] = [new LayersPanel(), new MovesPanel()];
