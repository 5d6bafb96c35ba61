// The board editor: pieces from a palette, side to move, castling rights, en passant.

import { Editor as Setup, type Color, type InputError, type Role } from "../library.ts";

import { h } from "../dom.ts";
import type { Page, Use } from "../page.ts";
import { sentence } from "../sentences.ts";
import type { Square } from "../squares.ts";
import { NO_GAME } from "../state.ts";
import { texts } from "../texts.ts";
import { picture, ROLES } from "./pieces.ts";
import { edited, moved } from "./play.ts";

type Tool = { color: Color; role: Role } | "erase";

export class Editor implements Use {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #preview: (fen: string | null) => void;
  readonly #say: (text: string, isBad: boolean) => void;
  /** The boxes of the castling rights, by their letters. */
  readonly #rights = new Map<string, HTMLInputElement>();
  readonly #turn: HTMLSelectElement;
  readonly #enPassant: HTMLSelectElement;
  #tool: Tool = { color: "white", role: "queen" };

  constructor(page: Page, preview: (fen: string | null) => void, say: (text: string, isBad: boolean) => void) {
    this.#page = page;
    this.#preview = preview;
    this.#say = say;
    const words = texts.editor;
    this.#turn = h(
      "select",
      { onchange: () => this.#edit((setup) => setup.setTurn(this.#turn.value as Color)) },
      h("option", { value: "white" }, texts.colors.white),
      h("option", { value: "black" }, texts.colors.black),
    );
    this.#enPassant = h("select", { onchange: () => this.#edit((setup) => setup.setEnPassant(this.#enPassant.value as Square | "-")) });
    const rights = (Object.keys(words.rights) as Array<keyof typeof words.rights>).map((letter) => {
      const box = h("input", { type: "checkbox" });
      box.addEventListener("change", () => this.#edit((setup) => setup.setCastlingRight(letter, box.checked)));
      this.#rights.set(letter, box);
      return h("label", { class: "check" }, box, words.rights[letter]);
    });
    const castling = h("fieldset", { class: "castling" }, h("legend", {}, words.castling), ...rights);
    this.element = h(
      "section",
      { class: "editor", "aria-label": words.label },
      this.#palette(),
      h(
        "div",
        { class: "fields" },
        h("label", {}, words.turn, this.#turn),
        h("label", {}, words.enPassant, this.#enPassant),
        castling,
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => this.#edit((setup) => setup.clear()) }, words.clear),
        h("button", { type: "button", onclick: () => page.change({ start: "startpos", moves: [], ply: 0, ...NO_GAME }) }, words.start),
        h("button", { type: "button", onclick: () => this.#edit((setup) => setup.mirror()) }, words.mirror),
      ),
    );
  }

  update(): void {
    const { view } = this.#page;
    this.#turn.value = view.turn;
    const setup = new Setup(view.fen, "");
    const rights = setup.castlingRights;
    const squares = setup.enPassantSquares;
    setup.free();
    this.#enPassant.replaceChildren(
      ...["-", ...squares].map((square) =>
        h("option", { value: square }, square === "-" ? texts.editor.none : square),
      ),
    );
    this.#enPassant.value = view.enPassant ?? "-";
    for (const [letter, box] of this.#rights) box.checked = (rights as readonly string[]).includes(letter);
  }

  targets(): ReadonlySet<Square> {
    return new Set();
  }

  /** Places the chosen piece, or removes it if it is already on the square. */
  choose(square: Square): void {
    const there = this.#page.view.pieces.find((piece) => piece.square === square);
    const tool = this.#tool;
    if (tool === "erase" || (there?.color === tool.color && there.role === tool.role)) {
      this.#edit((setup) => setup.remove(square));
      this.#page.announce(texts.editor.emptied(square));
    } else {
      this.#edit((setup) => setup.place(square, tool.color, tool.role));
      this.#page.announce(texts.editor.placed(tool.color, tool.role, square));
    }
  }

  drop(from: Square, to: Square | null): void {
    this.#preview(null);
    if (from === to) return;
    this.#edit((setup) => (to === null ? setup.remove(from) : setup.movePiece(from, to)));
  }

  drag(from: Square, over: Square | null): void {
    this.#preview(moved(this.#page, from, over));
  }

  #edit(change: (setup: Setup) => void): void {
    try {
      this.#page.change({ start: edited(this.#page, change), moves: [], ply: 0, square: null });
      this.#say("", false);
    } catch (error) {
      this.#say(sentence((error as InputError).message), true);
      this.update();
    }
  }

  #palette(): HTMLElement {
    const tools: Tool[] = (["white", "black"] as const).flatMap((color) =>
      ROLES.map((role) => ({ color, role })),
    );
    const buttons = [...tools, "erase" as const].map((tool) => {
      const name = tool === "erase" ? texts.editor.erase : texts.piece(tool.color, tool.role);
      const face = tool === "erase" ? h("span", { class: "erase", "aria-hidden": "true" }, "×") : picture(tool.color, tool.role);
      const isChosen = JSON.stringify(tool) === JSON.stringify(this.#tool);
      const button = h(
        "button",
        { type: "button", "aria-label": name, title: name, "aria-pressed": String(isChosen) },
        face,
      );
      button.addEventListener("click", () => {
        this.#tool = tool;
        buttons.forEach((it) => it.setAttribute("aria-pressed", String(it === button)));
      });
      return button;
    });
    return h("div", { class: "palette", role: "group", "aria-label": texts.editor.palette }, ...buttons);
  }
}
