// The path into a wrong count: one level for each move that was examined.

import type { AboveCount } from "../counting.ts";

import { playedMoves, type State } from "../state.ts";
import type { Question } from "./count.ts";

export interface Level {
  /** The move that leads to this level, in SAN; undefined at the start. */
  readonly move: string | undefined;
  /** All moves that are played. */
  readonly moves: readonly string[];
  readonly depth: number;
  /** The question for the program. */
  readonly question: Question;
  /** The number of last moves that the program must play itself. */
  readonly played: number;
  /** The program's count one level above. */
  readonly above: AboveCount | undefined;
  /** The text that was pasted at this level. */
  text: string;
}

export class Trail {
  #levels: Level[] = [];
  #next: Level | null = null;

  /** The levels, starting with the first. After the first call of `follow`, there is at least one. */
  get levels(): readonly Level[] {
    return this.#levels;
  }

  get here(): Level {
    return this.#levels.at(-1)!;
  }

  /**
   * Follows the position of the page: down into the examined move, up to a level, or to a new
   * start. Returns `true` if the level has changed.
   */
  follow(state: State, depth: number): boolean {
    const moves = playedMoves(state);
    const isAt = (level: Level) => level.question.start === state.start && level.question.moves === moves;
    const next = this.#next;
    this.#next = null;
    if (next && isAt(next)) {
      this.#levels.push(next);
      return true;
    }
    const before = this.#levels.length;
    const index = this.#levels.findLastIndex(isAt);
    const root = this.#levels[0];
    if (index < 0 || root?.depth !== depth) {
      const isNew = this.#levels.length !== 1 || !root || !isAt(root) || root.depth !== depth;
      if (!isNew) return false;
      const text = root && index === 0 ? root.text : "";
      this.#levels = [first(state, depth, text)];
      return true;
    }
    this.#levels.length = index + 1;
    return before !== index + 1;
  }

  /**
   * Restores the levels that an address leads to: a trail that began after this number of plies, at
   * a depth. Returns `true` if it did. The moves of the line come in SAN.
   */
  restore(state: State, depth: number, from: number, line: readonly string[]): boolean {
    const isBelow = from >= 0 && from < state.ply && state.ply - from < depth;
    if (this.#levels.length > 0 || !isBelow) return false;
    for (let ply = from; ply <= state.ply; ply += 1) {
      const level = first({ ...state, ply }, depth - (ply - from), "");
      this.#levels.push({ ...level, move: ply === from ? undefined : line[ply - 1] });
    }
    return true;
  }

  /** Forgets the levels: those of the next state come from its address alone. */
  clear(): void {
    this.#levels = [];
  }

  /** Prepares a level: the next move of the page leads to it. */
  descend(uci: string, san: string, above: AboveCount): void {
    const { here } = this;
    // The program also has to play the same moves at deeper levels.
    const played = here.played > 0 ? here.played + 1 : 0;
    const moves = [...here.moves, uci];
    this.#next = {
      move: san,
      moves,
      depth: here.depth - 1,
      question: { start: here.question.start, moves: moves.join(" "), depth: here.depth - 1 },
      played,
      above,
      text: "",
    };
  }

  /** Asks the same question again, but the program plays the last move. */
  askPlayed(): void {
    const { here } = this;
    this.#levels[this.#levels.length - 1] = { ...here, question: { ...here.question }, played: 1, text: "" };
  }
}

/** The first level of a trail. */
function first(state: State, depth: number, text: string): Level {
  const moves = state.moves.slice(0, state.ply);
  const question = { start: state.start, moves: moves.join(" "), depth };
  return { move: undefined, moves, depth, question, played: 0, above: undefined, text };
}
