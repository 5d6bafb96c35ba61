// The one field for text: a position in any form, moves, a game. It says what it has understood.

import { readPasted, type InputError, type PastedText } from "./library.ts";

import type { Play } from "./board/play.ts";
import { h } from "./dom.ts";
import type { Page } from "./page.ts";
import { errorText } from "./sentences.ts";
import { texts } from "./texts.ts";

const words = texts.input;

/** Shows a sentence beside the board. */
export type Say = (text: string, isBad: boolean) => void;

export class TextInput {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #play: Play;
  readonly #say: Say;
  readonly #field: HTMLTextAreaElement;

  constructor(page: Page, play: Play, say: Say) {
    this.#page = page;
    this.#play = play;
    this.#say = say;
    // A field of one line would drop the line ends of a pasted game.
    this.#field = h("textarea", {
      id: "input",
      rows: 1,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-label": words.label,
      placeholder: words.placeholder,
      "aria-describedby": "answer",
    });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      void this.take(this.#field.value);
    });
    this.#field.addEventListener("input", () => this.#field.removeAttribute("aria-invalid"));
    // A pasted position or game needs no further key.
    this.#field.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (this.#field.value !== "" || text.trim() === "") return;
      event.preventDefault();
      this.#field.value = text;
      void this.take(text);
    });
    this.element = h("form", { class: "entry" }, this.#field, h("button", { type: "submit" }, words.go));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.take(this.#field.value);
    });
  }

  /** Shows a text from the address that could not be read. */
  showWrong(error: InputError): void {
    this.#field.value = error.input;
    this.#mark(error);
  }

  /** Reads a text, and does what it says. */
  async take(text: string): Promise<void> {
    try {
      const fragment = ownFragment(text);
      const answer = fragment === null ? await this.#read(readPasted(text)) : this.#follow(fragment);
      if (answer === null) return;
      this.#field.value = "";
      this.#field.removeAttribute("aria-invalid");
      if (answer !== "") this.#say(answer, false);
    } catch (thrown) {
      const error = thrown as InputError;
      this.#say(errorText(error), true);
      this.#mark(error);
    }
  }

  /** Returns what was understood, or null if a move is refused. */
  async #read({ kind, start, moves }: PastedText): Promise<string | null> {
    if (kind === "pgn") return this.#game(moves);
    const list = moves.split(/[\s,]+/).filter((word) => word !== "");
    if (start !== undefined) {
      this.#open(start, list);
      return words.understood(kind as Exclude<PastedText["kind"], "moves" | "pgn">, this.#page.line.length);
    }
    if (list.length === 1) return this.#play.write(moves) ? "" : null;
    const { state } = this.#page;
    const before = state.moves.slice(0, state.ply);
    this.#open(state.start, [...before, ...list]);
    return words.played(this.#page.line.length - before.length);
  }

  async #game(text: string): Promise<string> {
    // Reading games is in the larger part of the library.
    const { GameTree } = await import("tabiya");
    const games = GameTree.allFromPgn(text);
    // Without a game, this says why.
    const game = games[0] ?? GameTree.fromPgn(text);
    const line = game.mainLine();
    const nullMove = line.findIndex(({ uci }) => uci === undefined);
    const moves = (nullMove < 0 ? line : line.slice(0, nullMove)).flatMap(({ uci }) => uci ?? []);
    this.#open(game.tag("FEN") === undefined ? "startpos" : game.node(0).fen, moves);
    const broken = game.problems.find(({ node }) => node === game.end)?.message;
    const error = nullMove < 0 ? broken : words.nullMove(nullMove + 1);
    if (error !== undefined) {
      this.#say(words.brokenGame(moves.length, error), true);
      return "";
    }
    // A game is read from its beginning.
    if (game.tags.length > 0) this.#page.change({ ply: 0 });
    const players = ["White", "Black"].flatMap((name) => game.tag(name) ?? []).filter((name) => name !== "?");
    const variations = game.nodes().reduce((sum, { children }) => sum + Math.max(0, children.length - 1), 0);
    return words.game(players.join(" – "), game.result, moves.length, variations, games.length - 1);
  }

  #open(start: string, moves: readonly string[]): void {
    if (this.#page.change({ start, moves, ply: Number.MAX_SAFE_INTEGER, square: null })) return;
    const error = this.#page.error!;
    this.#page.forgetError();
    throw error;
  }

  #follow(fragment: string): string {
    this.#page.open(fragment);
    if (this.#page.error) throw this.#page.error;
    return words.ownAddress;
  }

  /** Selects the wrong part of the text. */
  #mark({ input, start, end }: InputError): void {
    const field = this.#field;
    field.setAttribute("aria-invalid", "true");
    const wrong = input.slice(start, end);
    const whole = field.value.indexOf(input);
    const at = whole >= 0 ? whole + start : field.value.lastIndexOf(wrong);
    if (document.activeElement === field && at >= 0) field.setSelectionRange(at, at + wrong.length);
  }
}

/** The fragment of an address of this page; null for any other text. */
function ownFragment(text: string): string | null {
  const own = location.origin + location.pathname;
  const trimmed = text.trim();
  return trimmed.startsWith(`${own}#`) ? trimmed.slice(own.length) : null;
}
