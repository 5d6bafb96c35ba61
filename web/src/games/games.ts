// Games with their variations: which node of its tree the page shows, and what comes next.

import { GameTree, type GameNode } from "./library.ts";

import { INITIAL, NO_GAME, type State } from "../state.ts";

/** How a null move is written in UCI. The page has no position for it. */
const NULL_MOVE = "0000";

export class Games {
  #text = "";
  #trees: readonly GameTree[] = [];
  #number = 0;
  #nodes: ReadonlyMap<number, GameNode> = new Map();
  /** The nodes without a null move on their way. */
  #shown = new Set<number>();

  /** All games of the text. */
  get trees(): readonly GameTree[] {
    return this.#trees;
  }

  /** The game that is shown. */
  get tree(): GameTree {
    return this.#trees[this.#number]!;
  }

  /** The node with this number in the game that is shown. */
  node(id: number): GameNode {
    return this.#nodes.get(id)!;
  }

  /** Reads a text, unless it is known. Throws an `InputError` if there is no game in it. */
  read(pgn: string, number: number): void {
    if (pgn !== this.#text) {
      const trees = GameTree.allFromPgn(pgn);
      // Without a game, this says why.
      if (trees.length === 0) trees.push(GameTree.fromPgn(pgn));
      this.#trees.forEach((tree) => tree.free());
      this.#trees = trees;
      this.#text = pgn;
    } else if (number === this.#number) {
      return;
    }
    this.#number = Math.min(number, this.#trees.length - 1);
    this.#list();
  }

  /** The state at the beginning of the game that is shown, with its main line. */
  opened(state: State): State {
    const moves = this.#continued(0, []);
    return { ...state, pgn: this.#text, game: this.#number, start: this.#start(), moves, ply: 0, square: null };
  }

  /**
   * The state with the moves to the end of their line. Moves that the game does not have become a
   * variation of it.
   */
  follow(state: State): State {
    try {
      this.read(state.pgn, state.game);
      if (this.#start() === state.start) return this.#followed(state);
      // An address may name the game alone.
      if (state.start === INITIAL.start) return this.opened(state);
    } catch {
      // The text has no game, or the line is too long for one.
    }
    this.#text = "";
    return { ...state, ...NO_GAME };
  }

  /** The node that the state shows. */
  here({ moves, ply }: State): GameNode {
    return this.node(moves.slice(0, ply).reduce((at, move) => this.#child(at, move) ?? at, 0));
  }

  /** The moves through a node to the end of its line, and their number up to the node. */
  lineThrough(id: number): Pick<State, "moves" | "ply"> {
    const moves = this.tree.history(id).map(({ uci }) => uci!);
    return { moves: this.#continued(id, moves), ply: moves.length };
  }

  /** The alternatives to a move, in their order, with the move itself. */
  alternatives({ parent }: GameNode): readonly GameNode[] {
    return parent === undefined ? [] : this.node(parent).children.filter((id) => this.#shown.has(id)).map((id) => this.node(id));
  }

  /** Can the page show the node? It cannot if there is a null move before it. */
  canShow({ id }: GameNode): boolean {
    return this.#shown.has(id);
  }

  /** The start of the game that is shown. A game without a tag has the usual one. */
  #start(): string {
    return this.tree.tag("FEN") === undefined ? "startpos" : this.node(0).fen;
  }

  #list(): void {
    const nodes = this.tree.nodes();
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#shown = new Set();
    // Each node comes after its parent.
    for (const { id, parent, uci } of nodes) {
      if (parent === undefined || (uci !== NULL_MOVE && this.#shown.has(parent))) this.#shown.add(id);
    }
  }

  #followed(state: State): State {
    let here = 0;
    let isNew = false;
    for (const move of state.moves) {
      let next = this.#child(here, move);
      if (next === undefined) {
        next = this.tree.add(here, move);
        isNew = true;
        this.#list();
      }
      here = next;
    }
    if (isNew) this.#text = this.#trees.map((tree) => tree.pgn()).join("\n");
    return { ...state, pgn: this.#text, game: this.#number, moves: this.#continued(here, state.moves) };
  }

  #child(id: number, move: string): number | undefined {
    return this.node(id).children.find((child) => this.node(child).uci === move);
  }

  /** The moves, and those that follow the node until its line ends. */
  #continued(id: number, moves: readonly string[]): string[] {
    const all = [...moves];
    for (let next = this.node(id).children[0]; next !== undefined; next = this.node(next).children[0]) {
      if (!this.#shown.has(next)) break;
      all.push(this.node(next).uci!);
    }
    return all;
  }
}
