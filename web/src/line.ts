// The line of moves, with the buttons that step along it.

import type { PlayedMove } from "./library.ts";

import { h, replace } from "./dom.ts";
import type { GameView, OpenedGame } from "./games/view.ts";
import { NO_OVERLAY, type Page } from "./page.ts";
import type { State } from "./state.ts";
import { texts } from "./texts.ts";

const words = texts.line;

export class Line {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #moves: HTMLElement;
  readonly #steps: Record<"first" | "previous" | "next" | "last", HTMLButtonElement>;
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  /** The game with its variations, if the moves come from one. Its code is loaded then. */
  #game: GameView | null = null;

  constructor(page: Page) {
    this.#page = page;
    const step = (text: string, sign: string, to: () => number) =>
      h("button", { type: "button", "aria-label": text, title: text, onclick: () => page.change({ ply: to(), square: null }) }, sign);
    this.#steps = {
      first: step(words.first, "«", () => 0),
      previous: step(words.previous, "‹", () => Math.max(0, page.state.ply - 1)),
      next: step(words.next, "›", () => Math.min(page.state.moves.length, page.state.ply + 1)),
      last: step(words.last, "»", () => page.state.moves.length),
    };
    const button = (text: string, click: () => void) => h("button", { type: "button", onclick: click }, text);
    this.#undo = button(words.undo, () => page.undo());
    this.#redo = button(words.redo, () => page.redo());
    this.#moves = h("ol", { class: "line", "aria-label": words.label });
    const { first, previous, next, last } = this.#steps;
    this.element = h(
      "section",
      { class: "line-bar", "aria-label": words.label },
      h("div", { class: "buttons steps" }, first, previous, next, last, this.#undo, this.#redo),
      this.#moves,
    );
  }

  /** Opens a text in PGN. */
  async open(pgn: string): Promise<OpenedGame> {
    return (await this.#load()).open(pgn);
  }

  /** What is written about the last move, if anything. */
  note(): string {
    const { state } = this.#page;
    return state.pgn === "" ? "" : (this.#game?.note(state) ?? "");
  }

  /** Steps along the line, or between variations, by an arrow key. Returns `false` for other keys. */
  key(key: string): boolean {
    const { pgn, moves, ply } = this.#page.state;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const to = key === "ArrowLeft" ? ply - 1 : ply + 1;
      if (to >= 0 && to <= moves.length) this.#page.change({ ply: to, square: null });
      return moves.length > 0;
    }
    if (pgn === "" || this.#game === null) return false;
    return key === "ArrowUp" ? this.#game.turn(-1) : key === "ArrowDown" && this.#game.turn(1);
  }

  update(): void {
    const { state, view } = this.#page;
    const isGame = state.pgn !== "" && this.#game !== null;
    // A small screen has no room for buttons without an effect.
    this.element.classList.toggle("idle", view.line.length === 0 && !this.#page.canRedo);
    this.#moves.hidden = isGame;
    if (this.#game) this.#game.element.hidden = !isGame;
    if (!isGame) this.#page.notes = NO_OVERLAY;
    if (isGame) this.#game!.update(state);
    // When the game is there, the moves go on as it does. Without a network they stand alone.
    else if (state.pgn !== "") this.#load().then(() => this.#page.change({}), () => {});
    const { first, previous, next, last } = this.#steps;
    for (const button of [first, previous]) setDisabled(button, state.ply === 0);
    for (const button of [next, last]) setDisabled(button, state.ply === state.moves.length);
    setDisabled(this.#undo, !this.#page.canUndo);
    setDisabled(this.#redo, !this.#page.canRedo);
    if (!isGame) this.#show(view.line, state);
  }

  async #load(): Promise<GameView> {
    const { GameView } = await import("./games/view.ts");
    if (this.#game === null) {
      this.#game = new GameView(this.#page);
      this.#game.element.hidden = true;
      this.element.append(this.#game.element);
    }
    return this.#game;
  }

  #show(line: readonly PlayedMove[], state: State): void {
    const items = line.map((move, index) => {
      const number = move.color === "white" ? `${move.number}. ` : index === 0 ? `${move.number}... ` : "";
      const isHere = index + 1 === state.ply;
      return h(
        "li",
        {},
        h("span", { class: "number", "aria-hidden": "true" }, number),
        h(
          "button",
          {
            type: "button",
            class: index < state.ply ? "played" : "ahead",
            "aria-current": isHere ? "true" : null,
            "data-key": index,
            onclick: () => this.#page.change({ ply: index + 1, square: null }),
          },
          move.san,
        ),
      );
    });
    replace(this.#moves, ...(items.length > 0 ? items : [h("li", { class: "empty" }, words.noMoves)]));
    // Scrolls a long line so that the current move is visible.
    const here = this.#moves.querySelector<HTMLElement>("[aria-current]");
    if (here) this.#moves.scrollTop = here.offsetTop - this.#moves.offsetTop - this.#moves.clientHeight / 2;
  }
}

/** A button that has no effect now. It keeps the focus, which a disabled button would lose. */
function setDisabled(button: HTMLButtonElement, isDisabled: boolean): void {
  button.setAttribute("aria-disabled", String(isDisabled));
}
