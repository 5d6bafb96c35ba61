// The one field for text: a position in any form, moves, a game. It says what it has understood.

import { readPasted, type InputError, type PastedText } from "./library.ts";

import type { Play } from "./board/play.ts";
import { h } from "./dom.ts";
import type { Line } from "./line.ts";
import { isElsewhere, type Page } from "./page.ts";
import { errorText } from "./sentences.ts";
import { NO_GAME, type State } from "./state.ts";
import { texts } from "./texts.ts";

const words = texts.input;

/** Shows a sentence beside the board, and perhaps what to do about it. */
export type Say = (text: string, isBad: boolean, action?: HTMLElement) => void;

/** A line with a move and its count, or the total, as programs print them. */
const COUNT = /^[ \t]*(\d+[.):][ \t]*)?([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBNqrbn])?|O-O(-O)?)[+#]?([ \t]*:[ \t]*|[ \t]+)\d+[ \t]*\r?$|^[ \t]*nodes searched\b/im;

export class TextInput {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #play: Play;
  readonly #line: Line;
  readonly #say: Say;
  readonly #debug: (counts: string) => void;
  readonly #field: HTMLTextAreaElement;

  /** `debug` shows a program's counts in the debugger. */
  constructor(page: Page, play: Play, line: Line, say: Say, debug: (counts: string) => void) {
    this.#page = page;
    this.#play = play;
    this.#line = line;
    this.#say = say;
    this.#debug = debug;
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
    // The sentence about the mistake leaves with its position, too.
    page.subscribe((state, before) => isElsewhere(before, state) && this.#field.removeAttribute("aria-invalid"));
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
    if (text.trim() === "") return this.#field.focus();
    if (isCounts(text)) return this.#offer(text);
    const before = this.#field.value;
    try {
      const fragment = ownFragment(text);
      const answer = fragment === null ? await this.#read(readPasted(text)) : this.#follow(fragment);
      if (answer === null) return;
      // While a game was read, something else may have been written.
      if (this.#field.value === before) this.#field.value = "";
      this.#field.removeAttribute("aria-invalid");
      if (answer !== "") this.#say(answer, false);
    } catch (thrown) {
      const error = thrown as InputError;
      this.#say(errorText(error), true);
      this.#mark(error);
    }
  }

  /** Leads a program's counts to the panel that takes them. */
  #offer(counts: string): void {
    const open = () => {
      if (this.#field.value === counts) this.#field.value = "";
      this.#debug(counts);
    };
    this.#say(words.counts, true, h("button", { type: "button", onclick: open }, words.debug));
  }

  /** Returns what was understood, or null if a move is refused. */
  async #read({ kind, start, moves }: PastedText): Promise<string | null> {
    if (kind === "pgn") return this.#game(moves);
    if (start === undefined && isProse(moves)) throw noForm(moves);
    const list = moves.split(/[\s,]+/).filter((word) => word !== "");
    if (start !== undefined) {
      this.#open({ start, moves: list, ...NO_GAME });
      return words.understood(kind as Exclude<PastedText["kind"], "moves" | "pgn">, this.#page.view.line.length);
    }
    if (list.length === 1) return this.#play.write(moves) ? "" : null;
    const { state } = this.#page;
    const before = state.moves.slice(0, state.ply);
    this.#open({ moves: [...before, ...list] });
    return words.played(this.#page.state.ply - before.length);
  }

  async #game(text: string): Promise<string | null> {
    const { answer, wrong } = await this.#line.open(text);
    if (wrong === null) return answer;
    // The rest of the game is shown. The text stays, so that it can be corrected.
    this.#say(answer, true);
    this.#mark(wrong);
    return null;
  }

  /** Shows a position after some moves. */
  #open(patch: Pick<State, "moves"> & Partial<State>): void {
    if (this.#page.change({ ...patch, ply: Number.MAX_SAFE_INTEGER, square: null })) return;
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
  #mark({ input, start, end }: Pick<InputError, "input" | "start" | "end">): void {
    const field = this.#field;
    field.setAttribute("aria-invalid", "true");
    const wrong = input.slice(start, end);
    const whole = field.value.indexOf(input);
    const at = whole >= 0 ? whole + start : field.value.lastIndexOf(wrong);
    if (document.activeElement === field && at >= 0) field.setSelectionRange(at, at + wrong.length);
  }
}

/** Are these the counts that a program prints? A game in PGN may have lines that look like them. */
function isCounts(text: string): boolean {
  return COUNT.test(text) && !text.trimStart().startsWith("[");
}

/** Is the text surely no move? Then it has no digit, and letters that no move has. */
function isProse(text: string): boolean {
  return !/\d/.test(text) && /(?![a-hxkqrbnpo])\p{L}/iu.test(text);
}

function noForm(input: string): InputError {
  return Object.assign(new Error(words.noForm), { name: "InputError" as const, input, start: 0, end: input.length });
}

/** The fragment of an address of this page; null for any other text. */
function ownFragment(text: string): string | null {
  const own = location.origin + location.pathname;
  const trimmed = text.trim();
  return trimmed.startsWith(`${own}#`) ? trimmed.slice(own.length) : null;
}
