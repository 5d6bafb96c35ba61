// The board: 64 labelled squares with pieces, marks and arrows, for mouse, touch and keyboard.

import { h, svg } from "../dom.ts";
import type { Arrow, Mark, Page, Pointing, ShownPiece, Use } from "../page.ts";
import { has, isLight, numberOf, rows, SQUARES, type Square } from "../squares.ts";
import { texts } from "../texts.ts";
import { drawBit } from "./bits.ts";
import { Drawing } from "./drawing.ts";
import { slide } from "./motion.ts";
import { picture } from "./pieces.ts";

export class Board implements Pointing {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #cells = new Map<Square, HTMLElement>();
  /** The look of each square, as a text that can be compared. */
  readonly #looks = new Map<Square, string>();
  readonly #grid: HTMLElement;
  readonly #ranks: HTMLElement;
  readonly #files: HTMLElement;
  readonly #arrows: SVGSVGElement;
  #use: Use;
  #marks: readonly Mark[] = [];
  #shownArrows: readonly Arrow[] = [];
  /** The arrows and circles that the user has drawn. */
  readonly #drawing: Drawing;
  /** The pieces that the board has shown last, by their squares. */
  #pieces: ReadonlyMap<Square, ShownPiece> = new Map();
  /** The square where the user has just dropped a piece: it is there already, and does not move. */
  #dropped: Square | null = null;
  /** The square of the keyboard: the only one that the Tab key reaches. */
  #current: Square = "e2";
  /** Did the last click, and no key, lead to the board? Then the arrow keys step along the line. */
  #isPointed = false;
  /** How far the wheel has been turned since the last step. */
  #turned = 0;

  constructor(page: Page, use: Use) {
    this.#page = page;
    this.#use = use;
    this.#grid = h("div", { class: "grid", role: "grid", "aria-label": texts.board.label });
    this.#arrows = svg("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
    // The labels of the squares give the same information.
    this.#ranks = h("div", { class: "ranks", "aria-hidden": "true" });
    this.#files = h("div", { class: "files", "aria-hidden": "true" });
    const board = h("div", { class: "board" }, this.#grid, this.#arrows);
    this.element = h("div", { class: "frame" }, this.#ranks, board, this.#files);
    for (const square of SQUARES) this.#cells.set(square, this.#cell(square));
    this.#grid.addEventListener("keydown", (event) => this.#key(event));
    this.#drawing = new Drawing(board, (x, y) => this.squareAt(x, y), () => this.#drawArrows());
    board.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#layout();
  }

  onPoint(listener: (square: Square | null) => void): void {
    const point = (event: Event): void => {
      const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-square]");
      if (cell) listener(cell.dataset.square as Square);
    };
    this.#grid.addEventListener("pointerover", point);
    this.#grid.addEventListener("focusin", point);
    // A finger leaves the board after each touch. What it has touched stays.
    this.#grid.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && listener(null));
  }

  /** Shows marks on the board, in the order of their numbers, and arrows. */
  show(marks: readonly Mark[], arrows: readonly Arrow[]): void {
    this.#marks = marks;
    this.#shownArrows = arrows;
    this.update();
  }

  /** The element of a square. */
  cell(square: Square): HTMLElement {
    return this.#cells.get(square)!;
  }

  focus(square: Square): void {
    this.#moveTo(square);
    this.cell(square).focus();
  }

  /** Draws the state of the page. */
  update(): void {
    const { view, state, overlay } = this.#page;
    const shown: readonly ShownPiece[] = overlay.pieces ?? view.pieces;
    const pieces = new Map(shown.map((piece) => [piece.square, piece]));
    const bits = new Map(overlay.bits?.map((bit) => [bit.square, bit]));
    const last = view.line[state.ply - 1];
    const targets = this.#use.targets();
    this.#layout();
    for (const [square, cell] of this.#cells) {
      const piece = pieces.get(square);
      const marks = this.#marks.filter((mark) => has(mark.squares, square));
      const bit = bits.get(square);
      const isTarget = targets.has(square);
      const classes = ["square", isLight(square) ? "light" : "dark"];
      if (last && (last.from === square || last.to === square)) classes.push("last");
      if (state.square === square) classes.push("chosen");
      if (view.check === square) classes.push("check");
      if (isTarget) classes.push(piece ? "target taken" : "target");
      const names = marks.map((mark) => mark.name);
      const said = texts.board.square(square, piece, names, isTarget, view.check === square);
      const label = bit ? `${said}, ${bit.label}` : said;
      // A drag draws the board for each square that it passes, and most squares do not change.
      const look = [label, piece?.kind, ...classes, ...marks.map((mark) => mark.style + mark.color), JSON.stringify(bit)].join();
      if (this.#looks.get(square) === look) continue;
      this.#looks.set(square, look);
      cell.className = classes.join(" ");
      cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(state.square === square));
      cell.replaceChildren(...marksOn(marks), ...(bit ? drawBit(bit) : []), ...(piece ? [pictureOf(piece)] : []));
    }
    this.#move(pieces);
    // The squares of a reason stand out from the layers.
    this.#grid.classList.toggle("explains", this.#marks.some(({ color }) => color === 0));
    this.#drawing.follow(view.fen);
    this.#drawArrows();
  }

  #drawArrows(): void {
    const arrows = [...this.#shownArrows, ...this.#drawing.arrows].map((arrow) => this.#arrow(arrow));
    this.#arrows.replaceChildren(...arrows, ...this.#drawing.circles.map((square) => this.#circle(square)));
  }

  /** Lets the pieces slide that a move, or a step along the line, has brought to other squares. */
  #move(pieces: ReadonlyMap<Square, ShownPiece>): void {
    const isSteady = this.#page.state.editing || this.#page.overlay.pieces !== undefined;
    if (!isSteady) slide(this.#pieces, pieces, (square) => this.cell(square), this.#dropped);
    this.#pieces = isSteady ? new Map() : pieces;
  }

  /** The square at a point of the screen. */
  squareAt(x: number, y: number): Square | null {
    const box = this.#grid.getBoundingClientRect();
    const column = Math.floor(((x - box.left) / box.width) * 8);
    const row = Math.floor(((y - box.top) / box.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return rows(this.#page.state.flipped)[row]![column]!;
  }

  /** A turn of the wheel steps along the line. Without a line the page scrolls. */
  #wheel(event: WheelEvent): void {
    const { state, view } = this.#page;
    if (event.ctrlKey || state.editing || view.line.length === 0) return;
    event.preventDefault();
    // Some devices send many small turns for a large one.
    this.#turned = Math.sign(event.deltaY) === Math.sign(this.#turned) ? this.#turned + event.deltaY : event.deltaY;
    if (Math.abs(this.#turned) < (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 50 : 1)) return;
    const ply = state.ply + Math.sign(this.#turned);
    this.#turned = 0;
    if (ply >= 0 && ply <= view.line.length) this.#page.change({ ply, square: null });
  }

  #cell(square: Square): HTMLElement {
    const cell = h("div", {
      role: "gridcell",
      tabindex: square === this.#current ? 0 : -1,
      "data-square": square,
    });
    cell.addEventListener("pointerdown", (event) => this.#press(event, square));
    cell.addEventListener("focus", () => {
      this.#isPointed = false;
      this.#moveTo(square);
    });
    return cell;
  }

  /** Arranges the squares in rows, according to the side at the bottom. */
  #layout(): void {
    const { flipped } = this.#page.state;
    if (this.#grid.dataset.flipped === String(flipped)) return;
    this.#grid.dataset.flipped = String(flipped);
    const focused = document.activeElement;
    const shown = rows(flipped);
    this.#grid.replaceChildren(
      ...shown.map((row) => h("div", { role: "row", class: "row" }, ...row.map((square) => this.cell(square)))),
    );
    this.#ranks.replaceChildren(...shown.map((row) => h("span", {}, row[0]![1]!)));
    this.#files.replaceChildren(...shown[7]!.map((square) => h("span", {}, square[0]!)));
    if (focused instanceof HTMLElement && this.#grid.contains(focused)) focused.focus();
  }

  #moveTo(square: Square): void {
    this.cell(this.#current).tabIndex = -1;
    this.#current = square;
    this.cell(square).tabIndex = 0;
  }

  #key(event: KeyboardEvent): void {
    const flip = this.#page.state.flipped ? -1 : 1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, flip],
      ArrowDown: [0, -flip],
      ArrowRight: [flip, 0],
      ArrowLeft: [-flip, 0],
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (step && this.#isPointed && this.#page.view.line.length > 0) return;
    const number = numberOf(this.#current);
    if (step) {
      const file = Math.min(7, Math.max(0, (number % 8) + step[0]));
      const rank = Math.min(7, Math.max(0, Math.floor(number / 8) + step[1]));
      this.focus(SQUARES[rank * 8 + file]!);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#use.choose(this.#current);
    } else if (event.key === "Escape") {
      this.#page.change({ square: null });
    } else if (event.key === "f") {
      this.#page.change({ flipped: !this.#page.state.flipped });
    } else if (event.key === "Home") {
      this.focus(SQUARES[number - (number % 8)]!);
    } else if (event.key === "End") {
      this.focus(SQUARES[number - (number % 8) + 7]!);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** A click chooses a square. A press that moves away drags the piece. */
  #press(event: PointerEvent, from: Square): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.#drawing.clear();
    this.cell(from).focus();
    this.#isPointed = true;
    const piece = this.cell(from).querySelector<HTMLElement>(".piece");
    const start = { x: event.clientX, y: event.clientY };
    let ghost: HTMLElement | null = null;
    let over: Square | null = from;
    const move = (moved: PointerEvent) => {
      if (moved.pointerId !== event.pointerId) return;
      const distance = Math.hypot(moved.clientX - start.x, moved.clientY - start.y);
      if (!ghost) {
        if (!piece || distance < 5) return;
        ghost = piece.cloneNode(true) as HTMLElement;
        ghost.classList.add("ghost");
        ghost.style.width = `${piece.getBoundingClientRect().width}px`;
        document.body.append(ghost);
        this.element.classList.add("dragging");
      }
      ghost.style.transform = `translate(${moved.clientX}px, ${moved.clientY}px) translate(-50%, -50%)`;
      const now = this.squareAt(moved.clientX, moved.clientY);
      if (now !== over) {
        over = now;
        this.#use.drag(from, over);
        this.cell(from).querySelector(".piece")?.classList.add("lifted");
      }
    };
    const end = (ended: PointerEvent) => {
      if (ended.pointerId !== event.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.element.classList.remove("dragging");
      if (!ghost) {
        if (ended.type === "pointerup") this.#use.choose(from);
        return;
      }
      ghost.remove();
      this.cell(from).querySelector(".piece")?.classList.remove("lifted");
      if (ended.type !== "pointerup") return this.#use.drag(from, from);
      const to = this.squareAt(ended.clientX, ended.clientY);
      this.#dropped = to;
      this.#use.drop(from, to);
      this.#dropped = null;
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** The middle of a square, in squares from the upper left corner. */
  #place(square: Square): [number, number] {
    const number = numberOf(square);
    const [file, rank] = [number % 8, Math.floor(number / 8)];
    return this.#page.state.flipped ? [7.5 - file, rank + 0.5] : [file + 0.5, 7.5 - rank];
  }

  #circle(square: Square): SVGElement {
    const [cx, cy] = this.#place(square);
    return svg("circle", { class: "drawn", cx, cy, r: 0.45 });
  }

  #arrow({ from, to, kind }: Arrow): SVGElement {
    const [x1, y1] = this.#place(from);
    const [x2, y2] = this.#place(to);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    // A piece on the last square does not cover the head.
    const [tx, ty] = [x2 - dx * 0.25, y2 - dy * 0.25];
    const [hx, hy] = [tx - dx * 0.35, ty - dy * 0.35];
    const shaft = `M${x1} ${y1}L${hx} ${hy}`;
    const head = `M${tx} ${ty}L${hx - dy * 0.22} ${hy + dx * 0.22}L${hx + dy * 0.22} ${hy - dx * 0.22}z`;
    return svg(
      "g",
      { class: `arrow ${kind}` },
      svg("path", { class: "shaft", d: shaft }),
      svg("path", { class: "head", d: head }),
    );
  }
}

/** The marks on a square. Tints of several sets share it; a reason covers them. */
function marksOn(marks: readonly Mark[]): HTMLElement[] {
  const tints = marks.filter(({ style, color }) => style === "tint" && color !== 0);
  return marks.map((mark) => {
    const part = tints.length > 1 && tints.includes(mark) ? ` part-${tints.indexOf(mark) + 1}-of-${tints.length}` : "";
    return h("span", { class: `mark ${mark.style} color-${mark.color}${part}`, "aria-hidden": "true" });
  });
}

function pictureOf({ color, role, kind }: ShownPiece): HTMLElement {
  const drawing = picture(color, role);
  if (kind !== undefined) drawing.classList.add(kind);
  return drawing;
}
