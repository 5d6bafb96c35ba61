// Puts the page together, and keeps its parts up to date.

import { Board, type Use } from "./board/board.ts";
import { Editor } from "./board/editor.ts";
import { marksOf, shownLayers } from "./board/layers.ts";
import { symbols } from "./board/pieces.ts";
import { Play } from "./board/play.ts";
import { LineBar, PositionBar } from "./controls.ts";
import { h } from "./dom.ts";
import { keepForOffline } from "./offline.ts";
import { Page } from "./page.ts";
import { Tabs } from "./tabs.ts";
import { texts } from "./texts.ts";

const live = h("div", { class: "visually-hidden", "aria-live": "polite", id: "announcer" });
const page = new Page(live);
page.open(location.hash);

/** The layers of another position, for the time of a drag. */
function preview(fen: string | null): void {
  board.show(marksOf(shownLayers(page, fen)));
}

const say = (text: string, isBad: boolean) => lineBar.say(text, isBad);
const play = new Play(page, preview, say);
const editor = new Editor(page, preview, say);
/** What a click on the board means now. */
const use = (): Use => (page.state.editing ? editor : play);
const board = new Board(page, {
  choose: (square) => use().choose(square),
  drop: (from, to) => use().drop(from, to),
  drag: (from, over) => use().drag(from, over),
  targets: () => use().targets(),
});
const positionBar = new PositionBar(page);
const lineBar = new LineBar(page, () => play);
const tabs = new Tabs(page);

document.getElementById("page")!.replaceChildren(
  symbols(),
  h("header", { class: "title" }, h("a", { class: "skip", href: "#", onclick: (event: Event) => { event.preventDefault(); board.focus("e1"); } }, texts.page.skip), h("h1", {}, texts.page.title), h("p", {}, texts.page.subtitle)),
  h(
    "main",
    {},
    h("div", { class: "left" }, positionBar.element, board.element, editor.element, lineBar.element),
    h("div", { class: "right" }, tabs.element),
  ),
  h("footer", {}, h("p", {}, texts.page.source)),
  live,
);

function update(): void {
  const { state } = page;
  document.documentElement.dataset.theme = state.theme;
  editor.element.hidden = !state.editing;
  if (state.editing) editor.update();
  positionBar.update();
  lineBar.update();
  board.show([...marksOf(shownLayers(page)), ...page.overlay.marks]);
  tabs.update();
}

page.subscribe((state, before) => {
  // What was said about a move does not outlive its position.
  if (state.start !== before.start || state.ply !== before.ply) lineBar.say("", false);
  update();
});
page.subscribeOverlay(() => board.show([...marksOf(shownLayers(page)), ...page.overlay.marks]));
addEventListener("hashchange", () => page.open(location.hash));
addEventListener("keydown", (event: KeyboardEvent) => {
  const target = event.target as HTMLElement;
  if (target.closest("input, textarea, select, dialog") || event.altKey) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === "z") (event.shiftKey ? page.redo() : page.undo());
  else if (control && key === "y") page.redo();
  else if (!control && key === "f") page.change({ flipped: !page.state.flipped });
  else return;
  event.preventDefault();
});
update();
keepForOffline();
