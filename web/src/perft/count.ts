// A count: split into parts, counted by a pool of workers, and summed for each move.

import { splitPerft, type PerftPart, type RootMove } from "../counting.ts";

import { Pool, type PoolOptions } from "./pool.ts";

export interface Question {
  readonly start: string;
  /** The moves that are played from the start. */
  readonly moves: string;
  readonly depth: number;
}

/** A root move with the leaf nodes counted below it. */
export interface MoveCount extends RootMove {
  readonly nodes: bigint;
  readonly isComplete: boolean;
}

/** Sorts moves by their text in UCI. */
export const byMove = (a: RootMove, b: RootMove): number => (a.uci < b.uci ? -1 : 1);

export type CountState = "running" | "complete" | "stopped" | "failed";

/** A count and its results so far. */
export class Count {
  readonly question: Question;
  readonly options: PoolOptions;
  state: CountState = "running";
  nodes = 0n;
  /** The estimated share of the work that has been done, from 0 to 1. */
  share = 0;
  /** The leaf nodes in each category. */
  categories: bigint[] = [];
  /** The errors of the workers. */
  readonly failures: string[] = [];
  readonly parts: number;

  readonly #moves: readonly RootMove[];
  readonly #parts: readonly PerftPart[];
  readonly #below: bigint[];
  readonly #left: number[];
  /** The time when the first worker began to count. The rate does not include loading it. */
  #begun: number | null = null;
  readonly #asked = performance.now();
  readonly #changed: (count: Count) => void;
  readonly #pool: Pool;
  #seconds = 0;

  /** Begins to count. Throws an `InputError` if the question is invalid. */
  constructor(question: Question, options: PoolOptions, changed: (count: Count) => void) {
    this.question = question;
    this.options = options;
    this.#changed = changed;
    const { moves, parts } = splitPerft(question.start, question.moves, question.depth, options.byCategory);
    this.#moves = moves;
    this.#parts = parts;
    this.parts = parts.length;
    this.#below = moves.map(() => 0n);
    this.#left = moves.map(() => 0);
    for (const { root } of parts) if (root !== undefined) this.#left[root]! += 1;
    this.#pool = new Pool(parts, options, {
      begun: () => (this.#begun = performance.now()),
      counted: (part, nodes, categories) => this.#counted(part, nodes, categories),
      workerFailed: (message) => {
        this.failures.push(message);
        changed(this);
      },
      ended: (isComplete) => this.#end(isComplete ? "complete" : "failed"),
    });
  }

  /** Each move with the leaf nodes counted so far. */
  get moves(): MoveCount[] {
    return this.#moves.map((move, index) => ({
      ...move,
      nodes: this.#below[index]!,
      isComplete: this.#left[index] === 0 && (this.state === "complete" || !this.#isWhole),
    }));
  }

  get seconds(): number {
    return this.state === "running" ? this.#elapsed() : this.#seconds;
  }

  /** Seconds since the count was asked for, while it runs: the clock does not wait for a worker. */
  get clock(): number {
    return (performance.now() - this.#asked) / 1000;
  }

  /** The estimated seconds to the end; null before the first part has been counted. */
  get secondsLeft(): number | null {
    return this.share > 0 ? (this.#elapsed() * (1 - this.share)) / this.share : null;
  }

  /** Leaf nodes per second. */
  get rate(): number {
    return this.seconds > 0 ? Number(this.nodes) / this.seconds : 0;
  }

  /** Ends the count. The results so far stay. */
  stop(): void {
    if (this.state !== "running") return;
    this.#pool.stop();
    this.#end("stopped");
  }

  /** Is the whole count a single part, without parts for the moves? This is so at depth 1. */
  get #isWhole(): boolean {
    return this.#parts.length === 1 && this.#parts[0]!.root === undefined;
  }

  #elapsed(): number {
    return this.#begun === null ? 0 : (performance.now() - this.#begun) / 1000;
  }

  #counted(part: number, nodes: bigint, categories: readonly bigint[]): void {
    const { root, share } = this.#parts[part]!;
    this.nodes += nodes;
    this.share = Math.min(1, this.share + share);
    if (root === undefined) {
      this.#below.fill(1n);
    } else {
      this.#below[root]! += nodes;
      this.#left[root]! -= 1;
    }
    categories.forEach((number, index) => (this.categories[index] = (this.categories[index] ?? 0n) + number));
    this.#changed(this);
  }

  #end(state: CountState): void {
    this.#seconds = this.#elapsed();
    this.state = state;
    if (state === "complete") this.share = 1;
    this.#changed(this);
  }
}
