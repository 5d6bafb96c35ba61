// The start of the page: creates its parts, connects them, and tells them when the state changes.

import { Board } from "./board/board.ts";
import { Editor } from "./board/editor.ts";
import { drawsLayers, drawsOwnSets, layersIn, leaveOutUnknown, marksOf, shownLayers } from "./board/layers.ts";
import { symbols } from "./board/pieces.ts";
import { Play } from "./board/play.ts";
import { h } from "./dom.ts";
import { Front } from "./front.ts";
import { type Say, TextInput } from "./input.ts";
import { Legend } from "./legend.ts";
import { LessonBar } from "./lesson-bar.ts";
import { Line } from "./line.ts";
import { keepForOffline } from "./offline.ts";
import { isElsewhere, isOtherPosition, NO_OVERLAY, Page, type Use } from "./page.ts";
import { Tabs } from "./tabs.ts";
import { texts } from "./texts.ts";
import { Tools } from "./tools.ts";
import { Verdict } from "./verdict.ts";

const live = h("div", { class: "visually-hidden", "aria-live": "polite", id: "announcer" });
const toast = h("div", { class: "toast", "aria-hidden": "true" });
const page = new Page(live, toast);
page.open(location.hash);

const hasLayers = () => drawsLayers(page.state);

/** Draws the board with the layers of its position, or of another position during a drag. */
function draw(fen: string | null = null): void {
  const layers = hasLayers() ? marksOf(fen === null ? shownLayers(page) : layersIn(fen, page.state)) : [];
  const notes = drawsOwnSets(page.state) ? NO_OVERLAY : page.notes;
  board.show([...layers, ...notes.marks, ...page.overlay.marks], [...notes.arrows, ...page.overlay.arrows]);
}

const verdict = new Verdict(page);
/** Shows a sentence. The drawing of a refused move leaves with the sentence that it belongs to. */
const say: Say = (text, isBad, action) => {
  play.clear();
  verdict.say(text, isBad, action);
};
const play = new Play(page, draw, say);
const editor = new Editor(page, draw, say);
const lesson = new LessonBar(page, play);
/** The current purpose of a click on the board. */
const use = (): Use => (page.state.editing ? editor : (lesson.use ?? tabs.use ?? play));
const board = new Board(page, {
  choose: (square) => use().choose(square),
  drop: (from, to) => use().drop(from, to),
  drag: (from, over) => use().drag(from, over),
  targets: () => use().targets(),
});
const line = new Line(page);
const input = new TextInput(page, play, line, say, (counts) => void tabs.open("compare").then((debug) => debug?.take?.(counts)));
const tools = new Tools(page, (text) => void input.take(text));
const front = new Front(page);
const legend = new Legend(page, board);
const tabs = new Tabs(page, board);

const skip = h("a", { class: "skip", href: "#" }, texts.page.skip);
skip.addEventListener("click", (event) => {
  event.preventDefault();
  board.focus("e1");
});

document.getElementById("page")!.replaceChildren(
  symbols(),
  h("header", { class: "title" }, skip, front.title, input.element, tools.element),
  h(
    "main",
    {},
    h("div", { class: "stage" }, board.element),
    h(
      "div",
      { class: "side" },
      tabs.list,
      h(
        "div",
        { class: "column" },
        verdict.element,
        front.element,
        line.element,
        verdict.fen,
        editor.element,
        lesson.element,
        tabs.element,
        legend.element,
      ),
    ),
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
  tools.update();
  front.update();
  verdict.update();
  line.update();
  lesson.update();
  tabs.update();
}

page.subscribe((state, before) => {
  // A message about a move disappears with its position, its panel and its lesson.
  if (isElsewhere(before, state)) verdict.say("", false);
  update();
  // If the user played a move or placed a piece, a more precise message follows this one.
  if (isOtherPosition(before, state)) page.announce([verdict.summary(), line.note()].join(" ").trim());
});
page.subscribeDrawing(() => {
  draw();
  legend.update();
});
addEventListener("hashchange", () => {
  page.open(location.hash);
  checkLayers();
  answer();
});
addEventListener("keydown", (event: KeyboardEvent) => {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || target.closest("input, textarea, select, dialog") || event.altKey) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  // In a panel, the arrow keys up and down scroll.
  const scrolls = (key === "arrowup" || key === "arrowdown") && target.closest(".panels") !== null;
  if (control && key === "z") (event.shiftKey ? page.redo() : page.undo());
  else if (control && key === "y") page.redo();
  else if (control || event.shiftKey || scrolls || !line.key(event.key)) return;
  event.preventDefault();
});
/** Layers of an address that are not layers are left out, and the user is told. */
function checkLayers(): void {
  const errors = leaveOutUnknown(page);
  if (errors.length > 0) say(texts.layers.leftOut(errors), true);
}

/** Answers the question of an address. */
function answer(): void {
  const { ask } = page.state;
  const found = ask === "" ? null : play.explain(ask);
  if (found?.legal) say(`${found.sentence}.`, false);
}

update();
draw();
legend.update();
checkLayers();
answer();
if (page.error && !page.isErrorOfMoves) input.showWrong(page.error);
keepForOffline();
