// The common data of the page's parts: the state, its position, and the listeners.

import { Scene, type InputError, type Placed, type View } from "./library.ts";

import * as address from "./address.ts";
import type { ShownBit } from "./board/bits.ts";
import { copy } from "./dom.ts";
import type { Square } from "./squares.ts";
import { INITIAL, NO_GAME, type State } from "./state.ts";
import { texts } from "./texts.ts";

/** A set of squares marked on the board. */
export interface Mark {
  readonly name: string;
  readonly squares: bigint;
  /** The colour, from 1 to 8, or 0 for the squares of a reason. */
  readonly color: number;
  /** How the squares are marked. */
  readonly style: MarkStyle;
}

/** All of them leave the piece in sight. The squares that a game's author has marked have rings. */
export type MarkStyle = "tint" | "hatch" | "outline" | "dashed" | "corner-1" | "corner-2" | "corner-3" | "corner-4" | "ring";

/** A colour of the squares and arrows in the comments of a game. */
export type NoteColor = "green" | "red" | "yellow" | "blue";

/** An arrow on the board. */
export interface Arrow {
  readonly from: Square;
  readonly to: Square;
  readonly kind: "good" | "bad" | "plain" | "drawn" | NoteColor;
}

/** Drawings of a panel on the board, in addition to the layers. */
export interface Overlay {
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
  /** Bits on squares, each in the colours of its makers. */
  readonly bits?: readonly ShownBit[];
  /** The pieces to show in place of those of the position. */
  readonly pieces?: readonly ShownPiece[];
}

/** A piece on the board. What blocks a slider need not be a piece of the position. */
export interface ShownPiece extends Placed {
  readonly kind?: "slider" | "blocker" | "absent";
}

export const NO_OVERLAY: Overlay = { marks: [], arrows: [] };

/** The board in the view of panels: they draw overlays on it, and follow the user's attention. */
export interface Pointing {
  /**
   * Calls the listener with each square that the pointer enters or that gets the focus, and with
   * null when the pointer leaves the board.
   */
  onPoint(listener: (square: Square | null) => void): void;
}

/** A part of the page below one of the tabs. */
export interface Panel {
  readonly id: State["panel"];
  /** Builds the panel once, when it is first shown. */
  mount(host: HTMLElement, page: Page, board: Pointing): void;
  /** Called when the state has changed, or when the panel is shown again. */
  update(state: State): void;
  /** Called when another panel is shown instead. */
  hide?(): void;
  /** Takes a text that was pasted elsewhere on the page. */
  take?(text: string): void;
  /** What a click on the board does while the panel is shown; without it, clicks play moves. */
  readonly use?: Use;
}

/** The purpose of clicks on squares: moves, the editor or a panel. */
export interface Use {
  /** A square was chosen by a click, a tap or the Enter key. */
  choose(square: Square): void;
  /** A piece was dragged from a square to another, or off the board. */
  drop(from: Square, to: Square | null): void;
  /** A piece is being dragged over a square. */
  drag(from: Square, over: Square | null): void;
  /** The squares that are shown as targets. */
  targets(): ReadonlySet<Square>;
}

export class Page {
  state: State = INITIAL;
  /** The game, played once, at the position on the board. It answers every question about it. */
  scene = new Scene(INITIAL.start, "");
  /** What the scene shows by itself: the position after the moves that have been played, and the line. */
  view: View = this.scene.view;
  /** The square under the pointer. */
  pointed: Square | null = null;
  /** The error in the last requested position. */
  error: InputError | null = null;
  /** Is the error about a move of the line, and not about its start position? */
  isErrorOfMoves = false;
  /** The drawing of a panel or a refused move on the board. */
  overlay: Overlay = NO_OVERLAY;
  /** The squares and arrows in the comment of the game on the move on the board. */
  notes: Overlay = NO_OVERLAY;
  /** Continues the moves as their game does, and adds to it what it does not have. */
  follow: (state: State) => State = (state) => state;

  readonly #listeners: Array<(state: State, before: State) => void> = [];
  readonly #drawingListeners: Array<() => void> = [];
  /** Are the listeners being called? If so, their overlays are drawn together at the end. */
  #isNotifying = false;
  readonly #undo: State[] = [];
  readonly #redo: State[] = [];
  readonly #live: HTMLElement;
  readonly #toast: HTMLElement;

  /** Screen readers read `live` aloud. `toast` is visible for a moment. */
  constructor(live: HTMLElement, toast: HTMLElement) {
    this.#live = live;
    this.#toast = toast;
  }

  /**
   * Reads the address. If a part cannot be read, it is left out and there is an error. For moves,
   * this means all moves from the first wrong one, and for a position, the whole position.
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
    // The browser's Back leads to an address as well, and does not forget what can be undone.
    if (this.#listeners.length > 0 && isOtherGame(before, this.state)) this.#undo.push(before);
    this.#redo.length = 0;
    this.#notify(before, false);
  }

  /**
   * Changes the state. If the position cannot be read, returns `false`, sets `error`, and changes
   * nothing.
   */
  change(patch: Partial<State>): boolean {
    const before = this.state;
    // Another start is another game.
    const rest = patch.start === undefined || patch.start === before.start ? {} : NO_GAME;
    if (!this.#take({ ...before, ...(leaves(before, patch) ? { ask: "" } : {}), ...rest, ...patch })) {
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

  /** Forgets the error of a position that was not taken, because another part of the page shows it. */
  forgetError(): void {
    this.error = null;
    this.isErrorOfMoves = false;
  }

  /** Changes the settings of panels. An empty value removes a setting. */
  set(settings: Readonly<Record<string, string>>): void {
    const all = { ...this.state.settings, ...settings };
    const kept = Object.entries(all).filter(([, value]) => value !== "");
    this.change({ settings: Object.fromEntries(kept) });
  }

  /** Plays a move, given in UCI, after the moves that have been played. */
  play(uci: string): void {
    const { moves, ply } = this.state;
    // Playing the next move of the line keeps the rest of the line.
    const next = moves[ply] === uci ? moves : [...moves.slice(0, ply), uci];
    this.overlay = NO_OVERLAY;
    this.change({ moves: next, ply: ply + 1, square: null });
    const san = this.view.line[this.state.ply - 1]?.san ?? uci;
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
   * Shows marks and arrows of a panel until the position changes. Ignores a panel that is no longer
   * shown: hiding it makes the pointer leave its rows.
   */
  setOverlay(overlay: Overlay, panel: State["panel"] = this.state.panel): void {
    if (overlay === this.overlay || panel !== this.state.panel) return;
    this.overlay = overlay;
    if (!this.#isNotifying) this.#drawingListeners.forEach((listener) => listener());
  }

  /** Copies a text, and reports whether that was possible. */
  async copy(text: string): Promise<void> {
    const message = (await copy(text)) ? texts.page.copied : texts.page.notCopied;
    this.announce(message);
    this.#toast.textContent = message;
    this.#toast.classList.add("shown");
    setTimeout(() => this.#toast.classList.remove("shown"), 1500);
  }

  /** Announces a text to screen readers. */
  announce(text: string): void {
    // The same text twice in a row would not be announced, so the element is emptied first.
    this.#live.textContent = "";
    requestAnimationFrame(() => (this.#live.textContent = text));
  }

  /** Calls the listener after each change of the state, before the board is drawn. */
  subscribe(listener: (state: State, before: State) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener when the board must be drawn. */
  subscribeDrawing(listener: () => void): void {
    this.#drawingListeners.push(listener);
  }

  #travel(from: State[], to: State[]): void {
    const earlier = from.pop();
    if (!earlier) return;
    const before = this.state;
    to.push(before);
    const { start, moves, pgn, game, ply } = earlier;
    this.#take({ ...before, start, moves, pgn, game, ply, ask: "" });
    this.#notify(before);
  }

  #take(state: State): boolean {
    this.isErrorOfMoves = false;
    try {
      this.#show(state);
      if (state.pgn !== "") this.#show(this.follow(this.state));
      this.error = null;
    } catch (error) {
      this.error = error as InputError;
    }
    return this.error === null;
  }

  /** Shows a state. The scene stays unless there is another game in it, or another place in the game. */
  #show(state: State): void {
    if (isOtherPosition(state, this.state)) {
      const scene = new Scene(state.start, state.moves.join(" "), state.ply);
      this.scene.free();
      this.scene = scene;
      this.view = scene.view;
    }
    // The line has no move numbers and only one notation.
    const moves = this.view.line.map(({ uci }) => uci);
    this.state = { ...state, moves, ply: Math.min(state.ply, moves.length) };
  }

  /** Tells the listeners. `isStep` says whether Back may return to the state before. */
  #notify(before: State, isStep = isOtherPlace(before, this.state)): void {
    // A drawing belongs to its place: the next step of a lesson may have the same board.
    if (isElsewhere(before, this.state)) this.overlay = NO_OVERLAY;
    const fragment = address.write(this.state, this.view.fen);
    if (fragment !== location.hash.slice(1)) {
      const to = fragment === "" ? location.pathname + location.search : `#${fragment}`;
      if (isStep) history.pushState(null, "", to);
      else history.replaceState(null, "", to);
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

/** Has the user gone somewhere else: to a panel, a lesson, a game or another position? */
function isOtherPlace(a: State, b: State): boolean {
  const isOtherStart = a.start !== b.start && !b.editing;
  const isAnotherGame = a.game !== b.game || (a.pgn === "") !== (b.pgn === "");
  return a.panel !== b.panel || isOtherStart || isAnotherGame || a.settings["lesson"] !== b.settings["lesson"];
}

/** Does a change lead away from the answer to a question? */
function leaves(before: State, patch: Partial<State>): boolean {
  return (["start", "moves", "ply", "panel"] as const).some((name) => patch[name] !== undefined && patch[name] !== before[name]);
}

/** Is there something to undo? A walk through the variations of a game changes nothing. */
function isOtherGame(a: State, b: State): boolean {
  return a.start !== b.start || a.pgn !== b.pgn || a.game !== b.game || (a.pgn === "" && !hasSameMoves(a, b));
}

/** Does the state have another position or another place? What was drawn or said before is not about it. */
export function isElsewhere(a: State, b: State): boolean {
  return isOtherPosition(a, b) || isOtherPlace(a, b);
}

export function isOtherPosition(a: State, b: State): boolean {
  return a.start !== b.start || a.ply !== b.ply || !hasSameMoves(a, b);
}

function hasSameMoves(a: State, b: State): boolean {
  return a.moves.join() === b.moves.join();
}
