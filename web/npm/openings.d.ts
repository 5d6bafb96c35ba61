import type { Game, GameTree, Position } from "./pkg/index.js";

/** A named opening. */
export interface Opening {
    /** The code in the Encyclopaedia of Chess Openings, such as `B90`. */
    readonly eco: string;
    /** The name in English, such as `Sicilian Defense: Najdorf Variation`. */
    readonly name: string;
}

/** All named openings, by their codes and names. */
export function openings(): readonly Opening[];

/** The opening of a position, by whatever moves it was reached; `undefined` if it has no name. */
export function openingAt(position: Position): Opening | undefined;

/** The opening of the last position with a name: of the line of a game, or of the line of a tree to
 * a node, which is the end of the main line by default; `undefined` if no position has a name. */
export function openingOf(game: Game): Opening | undefined;
export function openingOf(tree: GameTree, node?: number): Opening | undefined;
