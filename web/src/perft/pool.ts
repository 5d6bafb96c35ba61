// Workers that share the parts of a count. They share no memory, so any static host is enough.

import type { PerftPart } from "../counting.ts";

import type { FromWorker, ToWorker } from "./messages.ts";

/** The number of tries for a part: a worker may fail for another reason. */
const TRIES = 3;

export interface PoolOptions {
  readonly workers: number;
  /** The size of each worker's table in MiB; 0 for none. */
  readonly table: number;
  readonly byCategory: boolean;
}

export interface PoolEvents {
  /** The first worker is loaded and begins to count. */
  begun(): void;
  counted(part: number, nodes: bigint, categories: readonly bigint[]): void;
  /** A worker has failed. Its part goes to another one. */
  workerFailed(message: string): void;
  /** All parts have been counted, or the rest cannot be counted. */
  ended(isComplete: boolean): void;
}

export class Pool {
  readonly #parts: readonly PerftPart[];
  readonly #options: PoolOptions;
  readonly #events: PoolEvents;
  /** The parts that no worker counts yet, the next one last. */
  readonly #waiting: number[];
  /** The part that each worker counts. */
  readonly #busy = new Map<Worker, number | null>();
  readonly #tries: number[];
  #left: number;
  #failures = 0;
  #hasBegun = false;
  #isOver = false;

  constructor(parts: readonly PerftPart[], options: PoolOptions, events: PoolEvents) {
    this.#parts = parts;
    this.#options = options;
    this.#events = events;
    this.#waiting = parts.map((_, index) => index).reverse();
    this.#tries = parts.map(() => 0);
    this.#left = parts.length;
    const needed = Math.min(Math.max(1, options.workers), parts.length);
    for (let number = 0; number < needed; number += 1) this.#hire();
    if (parts.length === 0) queueMicrotask(() => this.#end(true));
  }

  /** Ends all workers at once. */
  stop(): void {
    this.#isOver = true;
    for (const worker of this.#busy.keys()) worker.terminate();
    this.#busy.clear();
  }

  #hire(): void {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "perft" });
    this.#busy.set(worker, null);
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.#hear(worker, event.data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#dismiss(worker, event.message || "the worker could not be loaded");
    });
    worker.addEventListener("messageerror", () => this.#dismiss(worker, "a message could not be read"));
  }

  #hear(worker: Worker, message: FromWorker): void {
    // A message may still be on its way when the worker is dismissed.
    if (this.#isOver || !this.#busy.has(worker)) return;
    switch (message.kind) {
      case "loaded":
        this.#send(worker, { kind: "setup", table: this.#options.table, byCategory: this.#options.byCategory });
        return;
      case "ready":
        if (!this.#hasBegun) this.#events.begun();
        this.#hasBegun = true;
        break;
      case "counted":
        this.#left -= 1;
        this.#events.counted(message.part, message.nodes, message.categories);
        break;
      case "failed":
        this.#dismiss(worker, message.message);
        return;
    }
    if (this.#left === 0) this.#end(true);
    else this.#give(worker);
  }

  #give(worker: Worker): void {
    const part = this.#waiting.pop();
    this.#busy.set(worker, part ?? null);
    if (part === undefined) return;
    const { fen, depth } = this.#parts[part]!;
    this.#send(worker, { kind: "work", part, fen, depth });
  }

  #send(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }

  /** Dismisses a worker that has failed, and replaces it unless the new worker would also fail. */
  #dismiss(worker: Worker, message: string): void {
    if (this.#isOver || !this.#busy.has(worker)) return;
    const part = this.#busy.get(worker) ?? null;
    this.#busy.delete(worker);
    worker.terminate();
    this.#failures += 1;
    this.#events.workerFailed(message);
    let isHopeless = this.#failures > this.#options.workers + TRIES;
    if (part !== null) {
      const tries = (this.#tries[part] ?? 0) + 1;
      this.#tries[part] = tries;
      this.#waiting.push(part);
      isHopeless ||= tries >= TRIES;
    }
    if (!isHopeless) {
      this.#hire();
    } else if (this.#busy.size === 0 || part !== null) {
      this.#end(false);
    }
  }

  #end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.stop();
    this.#events.ended(isComplete);
  }
}
