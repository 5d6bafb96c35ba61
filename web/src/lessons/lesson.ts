// What a lesson consists of.

import type { Square } from "../squares.ts";
import type { PanelId } from "../state.ts";

/** What the page shows at a step. */
export interface Scene {
  /** A FEN or a name. */
  readonly start: string;
  /** The moves that have been played, in UCI, separated by spaces. */
  readonly moves?: string;
  readonly panel?: PanelId;
  readonly layers?: readonly string[];
  readonly square?: Square;
  /** The settings of the panel, as in the address. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A question that the reader answers on the board. */
export type Question =
  /** Find all squares of a layer; the library knows them. */
  | { readonly kind: "squares"; readonly ask: string; readonly layer: string; readonly right: string }
  /** Try or play one of these moves, in UCI. */
  | { readonly kind: "move"; readonly ask: string; readonly moves: readonly string[]; readonly right: string };

export interface Step {
  readonly text: string;
  readonly scene: Scene;
  readonly question?: Question;
}

export interface Lesson {
  /** The name in addresses. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly steps: readonly Step[];
  /** What to try after the last step. */
  readonly then: { readonly text: string; readonly scene: Scene };
}
