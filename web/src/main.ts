// The start of the page: creates its parts, connects them, and tells them when the state changes.

import { Board, type Use } from "./board/board.ts";
import { Editor } from "./board/editor.ts";
import { marksOf, shownLayers } from "./board/layers.ts";
import { symbols } from "./board/pieces.ts";
import { Play } from "./board/play.ts";
import { LineBar, PositionBar } from "./controls.ts";
import { h } from "./dom.ts";
import { keepForOffline } from "./offline.ts";
import { Page } from "./page.ts";
import type { PanelId } from "./state.ts";
import { Tabs } from "./tabs.ts";
import { texts } from "./texts.ts";

const live = h("div", { class: "visually-hidden", "aria-live": "polite", id: "announcer" });
const toast = h("div", { class: "toast", "aria-hidden": "true" });
const page = new Page(live, toast);
page.open(location.hash);

/** The panels that show the layers on the board. The others draw their own subject. */
const WITH_LAYERS: readonly PanelId[] = ["layers", "moves"];

/** Draws the board with the layers of its position, or of another position during a drag. */
function draw(fen: string | null = null): void {
  const layers = WITH_LAYERS.includes(page.state.panel) ? marksOf(shownLayers(page, fen)) : [];
  board.show([...layers, ...page.overlay.marks]);
}

const say = (text: string, isBad: boolean) => lineBar.say(text, isBad);
const play = new Play(page, draw, say);
const editor = new Editor(page, draw, say);
/** The current purpose of a click on the board. */
const use = (): Use => (page.state.editing ? editor : play);
const board = new Board(page, {
  choose: (square) => use().choose(square),
  drop: (from, to) => use().drop(from, to),
  drag: (from, over) => use().drag(from, over),
  targets: () => use().targets(),
});
const positionBar = new PositionBar(page);
const lineBar = new LineBar(page, () => play);
const tabs = new Tabs(page, board);

const skip = h("a", { class: "skip", href: "#" }, texts.page.skip);
skip.addEventListener("click", (event) => {
  event.preventDefault();
  board.focus("e1");
});

document.getElementById("page")!.replaceChildren(
  symbols(),
  h("header", { class: "title" }, skip, h("h1", {}, texts.page.title), h("p", {}, texts.page.subtitle)),
  h(
    "main",
    {},
    h("div", { class: "left" }, positionBar.element, board.element, editor.element, lineBar.element),
    h("div", { class: "right" }, tabs.element),
  ),
  h("footer", {}, h("p", {}, texts.page.source)),
  live,
  toast,
);

function update(): void {
  const { state } = page;
  document.documentElement.dataset.theme = state.theme;
  editor.element.hidden = !state.editing;
  if (state.editing) editor.update();
  positionBar.update();
  lineBar.update();
  tabs.update();
}

page.subscribe((state, before) => {
  // A message about a move disappears with its position.
  if (state.start !== before.start || state.ply !== before.ply) lineBar.say("", false);
  update();
  const isOtherPosition = state.start !== before.start || state.ply !== before.ply || state.moves !== before.moves;
  // If the user played a move or placed a piece, a more precise message follows this one.
  if (isOtherPosition) page.announce(lineBar.summary());
});
page.subscribeDrawing(() => draw());
addEventListener("hashchange", () => page.open(location.hash));
addEventListener("keydown", (event: KeyboardEvent) => {
  const target = event.target as HTMLElement;
  if (target.closest("input, textarea, select, dialog") || event.altKey) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === "z") (event.shiftKey ? page.redo() : page.undo());
  else if (control && key === "y") page.redo();
  else return;
  event.preventDefault();
});
update();
draw();
keepForOffline();
