// What the parts of the page share: the state, the position that follows from it, and who listens.

import { playedMoves as line, view, type InputError, type PlayedMove, type View } from "./library.ts";

import * as address from "./address.ts";
import { copy } from "./dom.ts";
import type { Square } from "./squares.ts";
import { INITIAL, playedMoves, type State } from "./state.ts";
import { texts } from "./texts.ts";

/** A set of squares to be marked on the board. */
export interface Mark {
  readonly name: string;
  readonly squares: bigint;
  /** The colour, from 1 to 8; 0 for what is no layer. */
  readonly color: number;
}

/** An arrow on the board. */
export interface Arrow {
  readonly from: Square;
  readonly to: Square;
  readonly kind: "good" | "bad" | "plain";
}

/** Drawings of a panel on the board, in addition to the layers. */
export interface Overlay {
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
}

export const NO_OVERLAY: Overlay = { marks: [], arrows: [] };

/** The board, as panels know it: they draw on it by an overlay, and follow the user's attention. */
export interface Pointing {
  /** Calls back with each square that comes under the pointer or gets the focus. */
  onPoint(listener: (square: Square) => void): void;
}

/** A part of the page below one of the tabs. */
export interface Panel {
  readonly id: State["panel"];
  /** Builds the panel once, when it is first shown. */
  mount(host: HTMLElement, page: Page, board: Pointing): void;
  /** The state has changed, or the panel is shown again. */
  update(state: State): void;
  /** Another panel is shown instead. */
  hide?(): void;
}

export class Page {
  state: State = INITIAL;
  /** The position after the moves that are played. */
  view: View = view(INITIAL.start, "");
  /** All moves of the line. */
  line: readonly PlayedMove[] = [];
  /** The error in the last position that was asked for. */
  error: InputError | null = null;
  /** Is the error about a move of the line, and not about the position in which it begins? */
  isErrorOfMoves = false;
  /** The drawing of a panel or a refused move on the board. */
  overlay: Overlay = NO_OVERLAY;

  readonly #listeners: Array<(state: State, before: State) => void> = [];
  readonly #drawingListeners: Array<() => void> = [];
  /** Are the listeners being called? Overlays that they set are drawn at the end, all at once. */
  #isNotifying = false;
  readonly #undo: State[] = [];
  readonly #redo: State[] = [];
  readonly #live: HTMLElement;
  readonly #toast: HTMLElement;

  /** `live` is read out by screen readers, `toast` is seen for a moment. */
  constructor(live: HTMLElement, toast: HTMLElement) {
    this.#live = live;
    this.#toast = toast;
  }

  /**
   * Reads the address. What cannot be read is left out, and there is an error: the moves from the first
   * wrong one on, or the position.
   */
  open(fragment: string): void {
    const before = this.state;
    const wanted = address.read(fragment);
    if (!this.#take(wanted)) {
      const error = this.error!;
      const isOfMoves = error.input === wanted.moves.join(" ");
      const right = isOfMoves ? wanted.moves.slice(0, wordsBefore(error)) : [];
      const rest = { ...wanted, moves: right, ply: right.length };
      if (!isOfMoves || !this.#take(rest)) this.#take({ ...rest, start: INITIAL.start, moves: [], ply: 0 });
      this.error = error;
      this.isErrorOfMoves = isOfMoves;
    }
    this.#undo.length = 0;
    this.#redo.length = 0;
    this.#notify(before);
  }

  /**
   * Changes the state. `false` if the position cannot be read: then `error` says why, and nothing
   * has changed.
   */
  change(patch: Partial<State>): boolean {
    const before = this.state;
    if (!this.#take({ ...before, ...patch })) {
      this.#notify(before);
      return false;
    }
    if (isOtherGame(before, this.state)) {
      this.#undo.push(before);
      if (this.#undo.length > 500) this.#undo.shift();
      this.#redo.length = 0;
    }
    this.#notify(before);
    return true;
  }

  /** A setting of a panel; an empty value removes it. */
  set(settings: Readonly<Record<string, string>>): void {
    const all = { ...this.state.settings, ...settings };
    const kept = Object.entries(all).filter(([, value]) => value !== "");
    this.change({ settings: Object.fromEntries(kept) });
  }

  /** Plays a move, given in UCI, after the moves that are played. */
  play(uci: string): void {
    const { moves, ply } = this.state;
    // The same move again goes along the line.
    const next = moves[ply] === uci ? moves : [...moves.slice(0, ply), uci];
    this.overlay = NO_OVERLAY;
    this.change({ moves: next, ply: ply + 1, square: null });
    const san = this.line[this.state.ply - 1]?.san ?? uci;
    this.announce(texts.board.played(san, this.view.ending, this.view.check !== undefined));
  }

  /** Chooses a square, or none. */
  choose(square: Square | null): void {
    this.overlay = NO_OVERLAY;
    this.change({ square });
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  undo(): void {
    this.#travel(this.#undo, this.#redo);
  }

  redo(): void {
    this.#travel(this.#redo, this.#undo);
  }

  /**
   * Shows marks and arrows of a panel; they stay until the position changes. A panel that is not
   * shown any more shows none: the pointer leaves its rows when it is hidden.
   */
  setOverlay(overlay: Overlay, panel: State["panel"] = this.state.panel): void {
    if (overlay === this.overlay || panel !== this.state.panel) return;
    this.overlay = overlay;
    if (!this.#isNotifying) this.#drawingListeners.forEach((listener) => listener());
  }

  /** Copies a text, and says whether that was possible. */
  async copy(text: string): Promise<void> {
    const message = (await copy(text)) ? texts.page.copied : texts.page.notCopied;
    this.announce(message);
    this.#toast.textContent = message;
    this.#toast.classList.add("shown");
    setTimeout(() => this.#toast.classList.remove("shown"), 1500);
  }

  /** Says something to screen readers. */
  announce(text: string): void {
    // The same text twice in a row is not announced, so it is emptied first.
    this.#live.textContent = "";
    requestAnimationFrame(() => (this.#live.textContent = text));
  }

  /** Calls back after each change of the state, before the board is drawn. */
  subscribe(listener: (state: State, before: State) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls back when the board is to be drawn. */
  subscribeDrawing(listener: () => void): void {
    this.#drawingListeners.push(listener);
  }

  #travel(from: State[], to: State[]): void {
    const game = from.pop();
    if (!game) return;
    const before = this.state;
    to.push(before);
    const { start, moves, ply } = game;
    this.#take({ ...before, start, moves, ply });
    this.#notify(before);
  }

  #take(state: State): boolean {
    this.isErrorOfMoves = false;
    try {
      // A setup that cannot be played has no line, but it is shown all the same.
      const played = state.moves.length === 0 ? [] : line(state.start, state.moves.join(" "));
      // The line has neither numbers nor other notations.
      const moves = played.map((move) => move.uci);
      const taken = { ...state, moves, ply: Math.min(state.ply, moves.length) };
      this.view = view(taken.start, playedMoves(taken));
      this.line = played;
      this.state = taken;
    } catch (error) {
      this.error = error as InputError;
      return false;
    }
    this.error = null;
    return true;
  }

  #notify(before: State): void {
    if (isOtherPosition(before, this.state)) this.overlay = NO_OVERLAY;
    const fragment = address.write(this.state, this.view.fen);
    if (fragment !== location.hash.slice(1)) {
      history.replaceState(null, "", fragment === "" ? location.pathname + location.search : `#${fragment}`);
    }
    this.#isNotifying = true;
    this.#listeners.forEach((listener) => listener(this.state, before));
    this.#isNotifying = false;
    this.#drawingListeners.forEach((listener) => listener());
  }
}

/** The number of moves before the wrong one. */
function wordsBefore(error: InputError): number {
  return error.input.slice(0, error.start).split(" ").length - 1;
}

function isOtherGame(a: State, b: State): boolean {
  return a.start !== b.start || a.moves.join() !== b.moves.join();
}

function isOtherPosition(a: State, b: State): boolean {
  return isOtherGame(a, b) || a.ply !== b.ply;
}
