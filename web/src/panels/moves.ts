// The panel of moves: legal moves by kind, and pseudo-legal moves and castling that are not legal,
// with the reasons. On a board that cannot be played, the moves of its pieces.

import type { BoardMove, Kind, LegalMove, RefusedMove } from "../library.ts";

import { reasonMarks } from "../board/play.ts";
import { h, replace } from "../dom.ts";
import { NO_OVERLAY, type Page, type Panel } from "../page.ts";
import type { State } from "../state.ts";
import { texts } from "../texts.ts";

const words = texts.moves;
const KINDS = Object.keys(words.kinds) as Kind[];

export class MovesPanel implements Panel {
  readonly id = "moves";
  #page!: Page;
  #list!: HTMLElement;

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    this.#list = h("div", { class: "move-kinds" });
    host.append(h("p", {}, words.introduction), this.#list);
  }

  update(_state: State): void {
    const { view } = this.#page;
    if (view.error !== undefined) {
      replace(
        this.#list,
        h("p", { class: "note" }, words.board(view.error)),
        h("p", { class: "total" }, words.boardMoves(view.boardMoves.length)),
        h("ul", { class: "moves" }, ...view.boardMoves.map((move) => this.#onBoard(move))),
      );
      return;
    }
    // Evasions answer a check, so without a check there are none.
    const kinds = KINDS.filter((kind) => kind !== "evasions" || view.check !== undefined);
    const sections = kinds.map((kind) => {
      const moves = view.moves.filter((move) => move.kinds.includes(kind));
      return h(
        "section",
        { class: "kind", "data-kind": kind },
        h("h3", {}, words.kinds[kind], h("span", { class: "count" }, ` ${moves.length}`)),
        moves.length > 0 ? h("ul", { class: "moves" }, ...moves.map((move) => this.#legal(move))) : h("p", {}, words.none),
      );
    });
    const refused = h(
      "section",
      { class: "kind refused", "data-kind": "refused" },
      h("h3", {}, words.refused(view.refused.length)),
      view.refused.length > 0
        ? h("ul", { class: "refused-moves" }, ...view.refused.map((move) => this.#refused(move)))
        : h("p", {}, words.none),
    );
    replace(this.#list, h("p", { class: "total" }, words.legal(view.moves.length)), ...sections, refused);
  }

  /** Draws the move of a button while it has the pointer or the focus. */
  #shows(button: HTMLElement, show: () => void): void {
    const clear = () => this.#page.setOverlay(NO_OVERLAY, this.id);
    button.addEventListener("pointerenter", show);
    button.addEventListener("focus", show);
    button.addEventListener("blur", clear);
    button.addEventListener("pointerleave", () => {
      if (document.activeElement !== button) clear();
    });
  }

  #arrow(move: LegalMove | BoardMove): void {
    this.#page.setOverlay({ marks: [], arrows: [{ from: move.from, to: move.to, kind: "good" }] });
  }

  #legal(move: LegalMove): HTMLElement {
    const button = h(
      "button",
      { type: "button", title: `${move.uci}, ${move.name}`, "aria-label": words.play(move.san), onclick: () => this.#page.play(move.uci) },
      move.san,
    );
    this.#shows(button, () => this.#arrow(move));
    return h("li", {}, button);
  }

  /** A move that cannot be played is only drawn. */
  #onBoard(move: BoardMove): HTMLElement {
    const show = () => this.#arrow(move);
    const button = h("button", { type: "button", title: move.uci, onclick: show }, move.san);
    this.#shows(button, show);
    return h("li", {}, button);
  }

  #refused(move: RefusedMove): HTMLElement {
    const reasons = move.reasons.map((reason) => reason.sentence).join("; ");
    const show = () => {
      this.#page.setOverlay({
        marks: reasonMarks(move.reasons),
        arrows: [{ from: move.from, to: move.to, kind: "bad" }],
      });
    };
    const button = h("button", { type: "button", title: move.uci, onclick: () => { show(); this.#page.announce(words.why(move.name, reasons)); } }, move.name);
    this.#shows(button, show);
    return h("li", {}, button, h("span", {}, ` ${reasons}`));
  }
}
