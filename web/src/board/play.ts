// Moves by hand: a legal move is played. For any other move, the reason is drawn.

import { Editor, type InputError, type LegalMove, type Reason, type RefusedMove, type Role } from "../library.ts";

import { h } from "../dom.ts";
import { errorText } from "../sentences.ts";
import { NO_OVERLAY, type Mark, type Overlay, type Page, type Use } from "../page.ts";
import type { Square } from "../squares.ts";
import { texts } from "../texts.ts";
import { picture } from "./pieces.ts";

const PROMOTIONS: readonly Role[] = ["queen", "rook", "bishop", "knight"];

export class Play implements Use {
  readonly #page: Page;
  readonly #preview: (fen: string | null) => void;
  readonly #say: (text: string, isBad: boolean) => void;
  readonly #listeners: Array<(uci: string) => void> = [];
  /** The drawing of the last refused move. */
  #drawn: Overlay | null = null;

  /** `preview` shows the layers of another position for a while. `say` shows a sentence. */
  constructor(page: Page, preview: (fen: string | null) => void, say: (text: string, isBad: boolean) => void) {
    this.#page = page;
    this.#preview = preview;
    this.#say = say;
  }

  /** Calls the listener with each move that the user tries, legal or not. */
  onAttempt(listener: (uci: string) => void): void {
    this.#listeners.push(listener);
  }

  targets(): ReadonlySet<Square> {
    const from = this.#page.state.square;
    return new Set(this.#from(from).flatMap((move) => [move.to, ...(move.rook ? [move.rook] : [])]));
  }

  choose(square: Square): void {
    const { state, view } = this.#page;
    const from = state.square;
    const piece = view.pieces.find((it) => it.square === square);
    if (from !== null && from !== square) {
      const owner = view.pieces.find((it) => it.square === from);
      const isOwn = owner?.color === view.turn;
      // A click on another own piece chooses that piece, unless it's a rook that the king may castle with.
      if (isOwn && (piece?.color !== view.turn || this.targets().has(square) || this.#castling(from, square))) {
        this.attempt(from, square);
        return;
      }
    }
    // What was said about the last attempt leaves with its drawing.
    this.#say("", false);
    this.#page.choose(from === square ? null : square);
    this.#page.announce(from === square ? texts.board.released : texts.board.chosen(square, piece, this.targets().size));
  }

  drop(from: Square, to: Square | null): void {
    this.#preview(null);
    if (to !== null && to !== from) this.attempt(from, to);
  }

  drag(from: Square, over: Square | null): void {
    this.#preview(moved(this.#page, from, over));
  }

  /** Plays the move from one square to another if it is legal, or explains why it is not. */
  attempt(from: Square, to: Square): void {
    const moves = this.#from(from).filter((move) => move.to === to || move.rook === to);
    if (moves.length === 0) {
      // Nothing stays chosen, so that the next click begins a move.
      this.#page.choose(null);
      this.explain(this.#castling(from, to)?.uci ?? from + to);
      return;
    }
    if (moves.length === 1 || moves[0]!.promotion === undefined) {
      this.#play(moves[0]!);
      return;
    }
    void choosePromotion(this.#page, to).then((role) => {
      const move = moves.find((it) => it.promotion === role);
      if (move) this.#play(move);
    });
  }

  /** Plays a move that the user typed, in any notation. */
  write(text: string): boolean {
    this.#page.choose(null);
    const answer = this.explain(text);
    if (answer?.legal && answer.uci) {
      this.#play(this.#page.view.moves.find((move) => move.uci === answer.uci)!);
      return true;
    }
    return false;
  }

  /** Explains why a move is not legal, and draws the relevant line. */
  explain(text: string) {
    const { scene, view } = this.#page;
    if (view.error !== undefined) {
      this.#say(view.error, true);
      return null;
    }
    try {
      const answer = scene.explain(text);
      if (!answer.legal) {
        this.#listeners.forEach((listener) => listener(answer.text));
        const squares = /^([a-h][1-8])([a-h][1-8])/.exec(answer.text);
        const instead = answer.instead.length > 0 ? texts.board.instead(answer.instead) : "";
        this.#say(`${answer.sentence.replace(answer.text, scene.nameOf(answer.text))}.${instead}`, true);
        this.#drawn = {
          marks: reasonMarks(answer.reasons),
          arrows: squares ? [{ from: squares[1] as Square, to: squares[2] as Square, kind: "bad" }] : [],
        };
        this.#page.setOverlay(this.#drawn);
      }
      return answer;
    } catch (error) {
      const { message, hint } = error as InputError;
      this.#say(errorText({ message, hint }), true);
      return null;
    }
  }

  /** Takes the drawing of a refused move off the board. Another drawing stays. */
  clear(): void {
    if (this.#page.overlay === this.#drawn) this.#page.setOverlay(NO_OVERLAY);
  }

  #from(square: Square | null): LegalMove[] {
    return this.#page.view.moves.filter((move) => move.from === square);
  }

  /** The castling that a king moved onto a rook means, if it isn't legal now. */
  #castling(from: Square | null, rook: Square): RefusedMove | undefined {
    return this.#page.view.refused.find((move) => move.from === from && move.rook === rook);
  }

  #play(move: LegalMove): void {
    this.#say("", false);
    this.#page.play(move.uci);
    this.#listeners.forEach((listener) => listener(move.uci));
  }
}

/** The colour of marks that are not layers. It has no number. */
export const REASON_COLOR = 0;

/** The squares that show why a move is not legal. */
export function reasonMarks(reasons: readonly Reason[]): Mark[] {
  const line = reasons.reduce((all, reason) => all | reason.line, 0n);
  return line === 0n ? [] : [{ name: texts.board.reasonLine, squares: line, color: REASON_COLOR, style: "tint" }];
}

/** The position with a piece on another square, for the layers during a drag. */
export function moved(page: Page, from: Square, to: Square | null): string | null {
  if (to === from) return null;
  return edited(page, (editor) => (to === null ? editor.remove(from) : editor.movePiece(from, to)));
}

/** The position on the board with changes, in FEN. */
export function edited(page: Page, change: (editor: Editor) => void): string {
  const editor = new Editor(page.view.fen);
  try {
    change(editor);
    return editor.fen;
  } finally {
    editor.free();
  }
}

/** Asks for the role of a promotion, in a column of pieces that begins at the square. */
function choosePromotion(page: Page, to: Square): Promise<Role | null> {
  const { turn } = page.view;
  return new Promise((resolve) => {
    const buttons = PROMOTIONS.map((role) =>
      h("button", { type: "submit", value: role, "aria-label": texts.roles[role] }, picture(turn, role)),
    );
    const dialog = h(
      "dialog",
      { class: "promotion", "aria-label": texts.board.promotion },
      h("form", { method: "dialog" }, ...buttons, h("button", { type: "submit", class: "cancel", value: "", "aria-label": texts.board.cancel }, "×")),
    );
    // A click outside the dialog counts as a click on the dialog itself.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(PROMOTIONS.find((role) => role === dialog.returnValue) ?? null);
    });
    document.body.append(dialog);
    const box = document.querySelector(`[data-square="${to}"]`)!.getBoundingClientRect();
    dialog.style.setProperty("--square", `${box.width}px`);
    dialog.showModal();
    // Near the lower edge of the window the column ends at the square.
    const height = dialog.getBoundingClientRect().height;
    const top = box.top + height <= innerHeight ? box.top : Math.max(0, box.bottom - height);
    dialog.style.left = `${box.left}px`;
    dialog.style.top = `${top}px`;
  });
}
