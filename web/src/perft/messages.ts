// The messages between the pool and its workers.

/** The data that a worker needs before it can count. */
export interface Setup {
  readonly kind: "setup";
  /** The size of the worker's table in MiB; 0 for none. */
  readonly table: number;
  readonly byCategory: boolean;
}

/** A part of the count. */
export interface Work {
  readonly kind: "work";
  readonly part: number;
  readonly fen: string;
  readonly depth: number;
}

export type ToWorker = Setup | Work;

export type FromWorker =
  | { readonly kind: "loaded" | "ready" }
  /** The leaf nodes of a part, and the number in each category if it is counted by category. */
  | { readonly kind: "counted"; readonly part: number; readonly nodes: bigint; readonly categories: readonly bigint[] }
  | { readonly kind: "failed"; readonly message: string };
