// A game next to the board: its moves with variations, comments and signs.

import type { GameNode, GameTree } from "./library.ts";

import { h, replace } from "../dom.ts";
import type { Page } from "../page.ts";
import { notesOf, writtenNotes } from "./notes.ts";
import type { State } from "../state.ts";
import { words } from "../texts/games.ts";
import { Games } from "./games.ts";
import "../style/game.css";

/** A list of more games would open with a delay. */
const MOST_LISTED = 1000;

/** What was understood of a game. */
export interface OpenedGame {
  readonly answer: string;
  /** The place in the text where the game breaks off. */
  readonly wrong: { readonly input: string; readonly start: number; readonly end: number } | null;
}

export class GameView {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #games = new Games();
  readonly #title: HTMLElement;
  readonly #moves: HTMLElement;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  /** The game that is drawn, and the number of its nodes then. */
  #drawn: { readonly tree: GameTree; readonly size: number } | null = null;
  /** The button of the node on the board: the only one that the Tab key reaches. */
  #current: HTMLButtonElement | undefined;

  constructor(page: Page) {
    this.#page = page;
    this.#title = h("div", { class: "game-title" });
    this.#moves = h("ol", { class: "line tree", "aria-label": words.label });
    this.element = h("div", { class: "game" }, this.#title, this.#moves);
    page.follow = (state) => this.#games.follow(state);
  }

  /** Opens the first game of a text. Throws an `InputError` if there is none. */
  open(pgn: string): OpenedGame {
    this.#games.read(pgn, 0);
    const { tree, trees } = this.#games;
    const opened = this.#games.opened(this.#page.state);
    const plies = opened.moves.length;
    // Moves without tags lead to a position. A whole game is read from its beginning.
    this.#page.change({ ...opened, ply: tree.tags.length === 0 ? plies : 0 });
    const problem = tree.problems[0];
    if (problem) {
      const { line, column, message } = problem;
      return { answer: words.broken(plies, line, column, message), wrong: placeOf(pgn, line, column) };
    }
    const variations = tree.nodes().reduce((sum, { children }) => sum + Math.max(0, children.length - 1), 0);
    return { answer: words.read(titleOf(tree), plies, variations, trees.length), wrong: null };
  }

  update(state: State): void {
    const { tree } = this.#games;
    if (this.#drawn?.tree !== tree || this.#drawn.size !== tree.size) {
      this.#drawn = { tree, size: tree.size };
      this.#draw();
    }
    const isInside = this.#moves.contains(document.activeElement);
    this.#current?.removeAttribute("aria-current");
    this.#current?.setAttribute("tabindex", "-1");
    const { id, marks } = this.#games.here(state);
    this.#page.notes = notesOf(marks);
    const here = this.#buttons.get(id);
    here?.setAttribute("aria-current", "true");
    this.#current = here ?? this.#moves.querySelector("button") ?? undefined;
    this.#current?.setAttribute("tabindex", "0");
    if (isInside) this.#current?.focus({ preventScroll: true });
    // The page itself must not scroll.
    this.#moves.scrollTop = here ? here.offsetTop - this.#moves.clientHeight / 2 : 0;
  }

  /** Goes to the next or the previous alternative to the last move. Returns `false` if there is none. */
  turn(step: 1 | -1): boolean {
    const here = this.#games.here(this.#page.state);
    const all = this.#games.alternatives(here);
    const next = all[all.findIndex(({ id }) => id === here.id) + step];
    if (next) this.#go(next);
    return next !== undefined;
  }

  /** What is written about the move on the board, for screen readers. */
  note(state: State): string {
    const here = this.#games.here(state);
    return [...here.signs, here.text, writtenNotes(here.marks), words.alternatives(this.#games.alternatives(here).length)].filter(Boolean).join(" ");
  }

  #go({ id }: GameNode): void {
    this.#page.change({ ...this.#games.lineThrough(id), square: null });
  }

  #draw(): void {
    const { tree, trees } = this.#games;
    this.#buttons.clear();
    this.#current = undefined;
    replace(this.#title, trees.length > 1 ? this.#choice() : h("strong", {}, titleOf(tree)));
    this.#moves.replaceChildren();
    const start = this.#games.node(0);
    if (start.text !== "") this.#moves.append(this.#comment(start));
    if (start.children[0] !== undefined) this.#line(this.#moves, start.children[0]);
    if (tree.result !== "*") this.#moves.append(h("li", { class: "result" }, tree.result));
  }

  /** Adds the moves from a node to the end of its line, with the variations from each of them. */
  #line(host: HTMLElement, first: number): void {
    // A number stands before each move of White, and wherever Black's move does not follow one.
    let isApart = true;
    for (let id: number | undefined = first; id !== undefined; id = this.#games.node(id).children[0]) {
      const node = this.#games.node(id);
      host.append(this.#move(node, isApart));
      if (node.text !== "") host.append(this.#comment(node));
      const [main, ...others] = this.#games.node(node.parent!).children;
      const variations = id === main ? others : [];
      if (variations.length > 0) {
        const lines = variations.map((variation) => {
          const line = h("ol", { class: "line" });
          this.#line(line, variation);
          return h("li", {}, line);
        });
        host.append(h("li", { class: "variations" }, h("ul", { "aria-label": words.variations }, ...lines)));
      }
      isApart = node.text !== "" || variations.length > 0;
    }
  }

  #move(node: GameNode, isApart: boolean): HTMLElement {
    const before = node.commentsBefore.map(withoutCommands).join(" ");
    const number = node.color === "white" ? `${node.number}.` : isApart || before !== "" ? `${node.number}…` : "";
    const canShow = this.#games.canShow(node);
    const button = h(
      "button",
      {
        type: "button",
        tabindex: -1,
        "aria-disabled": canShow ? null : "true",
        title: canShow ? noteOf(node) : words.nullMove,
        onclick: () => canShow && this.#go(node),
      },
      node.san,
      node.signs.length > 0 && h("span", { class: "signs" }, node.signs.map(plain).join(" ")),
    );
    this.#buttons.set(node.id, button);
    return h(
      "li",
      {},
      before !== "" && h("span", { class: "comment" }, before),
      number !== "" && h("span", { class: "number", "aria-hidden": "true" }, number),
      button,
    );
  }

  /** An error and the rest of its line are a comment, too. */
  #comment({ id, text }: GameNode): HTMLElement {
    const isProblem = this.#games.tree.problems.some(({ node }) => node === id);
    return h("li", { class: isProblem ? "problem error" : "comment" }, isProblem && "✗ ", text);
  }

  #choice(): HTMLElement {
    const { trees, tree } = this.#games;
    const options = trees.slice(0, MOST_LISTED).map((it, index) =>
      h("option", { value: index, selected: it === tree }, words.option(index + 1, titleOf(it), it.problems.length > 0)));
    const choose = (event: Event) => this.#choose(Number((event.target as HTMLSelectElement).value));
    const select = h("select", { "aria-label": words.choose, onchange: choose }, ...options);
    const rest = trees.length > MOST_LISTED && h("span", { class: "note" }, words.more(MOST_LISTED, trees.length));
    return h("div", { class: "buttons" }, select, rest);
  }

  #choose(number: number): void {
    const { state } = this.#page;
    this.#games.read(state.pgn, number);
    this.#page.change(this.#games.opened(state));
  }
}

/** Signs that many fonts lack, in letters that all have. */
const PLAIN_SIGNS: Readonly<Record<string, string>> = { "⩲": "+=", "⩱": "=+" };
const plain = (sign: string) => PLAIN_SIGNS[sign] ?? sign;

/** The players of a game or else its event, with the result. */
function titleOf(tree: GameTree): string {
  const known = (name: string) => {
    const value = tree.tag(name) ?? "";
    return /^[?.\s]*$/.test(value) ? "" : value;
  };
  const players = [known("White"), known("Black")].filter(Boolean).join(" – ");
  return words.title(players, known("Event"), tree.result);
}

/** Times and evaluations, for the tooltip of a move. */
function noteOf({ clock, eval: evaluation }: GameNode): string | null {
  const notes = [
    evaluation && words.evaluation(evaluation.pawns, evaluation.mate),
    clock !== undefined && words.clock(clock),
  ].filter(Boolean);
  return notes.length > 0 ? notes.join(", ") : null;
}

function withoutCommands(text: string): string {
  return text.replace(/\[%[^\]]*\]/g, "").trim();
}

/** The place of an error in a text. The library counts columns in bytes. */
function placeOf(text: string, line: number, column: number): OpenedGame["wrong"] {
  const ends = Array.from(text.matchAll(/\r\n|[\r\n]/g), (end) => end.index + end[0].length);
  const begin = [0, ...ends][line - 1] ?? text.length;
  const bytes = new TextEncoder().encode(text.slice(begin, ends[line - 1])).slice(0, column - 1);
  const start = begin + new TextDecoder().decode(bytes).length;
  const length = /^[^\s(){};]*/.exec(text.slice(start))![0].length;
  return { input: text, start, end: start + Math.max(1, length) };
}
