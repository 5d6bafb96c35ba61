// A step of a lesson beside the board: its sentence, and a question that is answered on the board.

import type { Play } from "../board/play.ts";
import { h, replace } from "../dom.ts";
import { NO_OVERLAY, type Page, type Use } from "../page.ts";
import { has, setOf, squaresOf, type Square } from "../squares.ts";
import { INITIAL, type State } from "../state.ts";
import { words } from "../texts/lessons.ts";
import type { Lesson, Question, Scene, Step } from "./lesson.ts";
import { LESSONS } from "./lessons.ts";
import { finishStep, nextLesson, openSteps } from "./progress.ts";

export class LessonCard {
  readonly #host: HTMLElement;
  readonly #page: Page;
  /** The step that is shown, as in the address. */
  #shown = "";
  #answer = h("p", { class: "answer-of-lesson", role: "status" });
  /** The squares that the reader has found. */
  #found = 0n;
  #isAnswered = false;

  constructor(host: HTMLElement, page: Page, play: Play) {
    this.#host = host;
    this.#page = page;
    play.onAttempt((uci) => this.#attempted(uci));
  }

  /** What a click on the board does while a question waits for squares. */
  get use(): Use | undefined {
    if (this.#question?.kind !== "squares" || this.#isAnswered) return undefined;
    const nothing = () => undefined;
    return { choose: (square) => this.#choose(square), drop: (_, to) => to && this.#choose(to), drag: nothing, targets: () => new Set<Square>() };
  }

  update(): void {
    const wanted = this.#page.state.settings["lesson"] ?? "";
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    this.#found = 0n;
    this.#isAnswered = false;
    const place = find(wanted);
    if (!place) {
      this.#host.replaceChildren(h("p", { class: "error" }, words.unknown(wanted)), this.#closing());
      return;
    }
    // A step without a question is done when it's read.
    if (!place.step.question) finishStep(nameOf(place.lesson, place.index));
    this.#draw(place.lesson, place.index);
    queueMicrotask(() => {
      // A link may name the step alone: then the step sets up the board.
      if (isUntouched(this.#page.state)) this.#page.change(stateOf(place.step.scene, wanted));
      this.#scroll();
    });
  }

  get #question(): Question | undefined {
    return find(this.#shown)?.step.question;
  }

  #draw(lesson: Lesson, index: number): void {
    const step = lesson.steps[index]!;
    const go = (to: number) => () => openLesson(this.#page, lesson, to);
    const isLast = index === lesson.steps.length - 1;
    this.#answer = h("p", { class: "answer-of-lesson", role: "status" });
    replace(
      this.#host,
      h("header", {}, h("h2", {}, lesson.title), h("span", { class: "count" }, words.step(index + 1, lesson.steps.length))),
      h("p", {}, step.text),
      step.question && h("p", { class: "ask" }, step.question.ask),
      this.#answer,
      h(
        "div",
        { class: "buttons" },
        index > 0 && button(words.back, go(index - 1), "back"),
        !isLast && button(words.next, go(index + 1), "next"),
        ...(isLast ? this.#whatNext(lesson) : []),
        button(words.again, () => this.#again(), "again"),
        step.question?.kind === "squares" && button(words.reveal, () => this.#reveal(), "reveal"),
        isLast ? button(words.end, () => this.#end(), "close") : this.#closing(),
      ),
    );
  }

  /** What to do after the last step: another lesson, or a position in a panel. */
  #whatNext(lesson: Lesson): HTMLElement[] {
    const next = nextLesson(lesson);
    const { text, scene } = lesson.then;
    return [
      ...(next ? [button(words.nextLesson(next.title), () => openLesson(this.#page, next, openSteps(next)[0]!), "next")] : []),
      button(words.tryNext(text), () => this.#page.change(stateOf(scene)), "try"),
    ];
  }

  #closing(): HTMLElement {
    return button(words.close, () => this.#page.set({ lesson: "" }), "close");
  }

  /** Leads back to the list of lessons. What the lesson has put on the board goes with it. */
  #end(): void {
    this.#page.change({ panel: "lessons", layers: INITIAL.layers, square: null, settings: {} });
    scrollTo(0, 0);
  }

  /** The list of lessons may have been scrolled. As little as possible is, since the legend is above the lesson. */
  #scroll(): void {
    this.#host.parentElement!.scrollTo(0, 0);
    scrollTo(0, 0);
    this.#host.scrollIntoView({ block: "nearest" });
  }

  #again(): void {
    const place = find(this.#shown);
    if (!place) return;
    this.#found = 0n;
    this.#isAnswered = false;
    this.#say("", "");
    this.#page.setOverlay(NO_OVERLAY);
    this.#page.change(stateOf(place.step.scene, this.#shown));
  }

  #choose(square: Square): void {
    const question = this.#question;
    if (question?.kind !== "squares") return;
    const all = squaresOfLayer(this.#page, question.layer);
    if (!has(all, square)) {
      this.#say(words.wrong(square), "wrong");
      return;
    }
    this.#found |= setOf([square]);
    if (this.#found === all) this.#right(question.right);
    else this.#say(words.found(squaresOf(this.#found).length, squaresOf(all).length), "");
    this.#mark(question.layer);
  }

  #reveal(): void {
    const question = this.#question;
    if (question?.kind !== "squares") return;
    this.#found = squaresOfLayer(this.#page, question.layer);
    this.#right(question.right);
    this.#mark(question.layer);
  }

  #mark(name: string): void {
    this.#page.setOverlay({ marks: [{ name, squares: this.#found, color: 4, style: "outline" }], arrows: [] });
  }

  #attempted(uci: string): void {
    const { state, view } = this.#page;
    const step = find(this.#shown)?.step;
    const question = step?.question;
    if (state.settings["lesson"] !== this.#shown || question?.kind !== "move" || this.#isAnswered) return;
    // The question is about the position of the step: another one has no answer to it.
    const asked = movesOf(step!.scene);
    const played = state.moves.slice(0, state.ply);
    const isPlayed = played.length > asked.length && played.at(-1) === uci;
    const before = isPlayed ? played.slice(0, -1) : played;
    if (state.start !== step!.scene.start || before.join() !== asked.join()) return;
    if (question.moves.some((move) => move.startsWith(uci.slice(0, 4)))) {
      this.#right(question.right);
    } else if (isPlayed) {
      const { san } = view.line[state.ply - 1]!;
      this.#page.change({ moves: asked, ply: asked.length, square: null });
      this.#say(words.takenBack(san), "wrong");
    } else {
      this.#say(words.wrongMove(uci), "wrong");
    }
  }

  #right(text: string): void {
    const { lesson, index } = find(this.#shown)!;
    finishStep(nameOf(lesson, index));
    this.#isAnswered = true;
    this.#say(text, "right");
  }

  #say(text: string, outcome: "right" | "wrong" | ""): void {
    this.#answer.textContent = text;
    this.#answer.dataset["outcome"] = outcome;
  }
}

function button(text: string, click: () => void, key: string): HTMLElement {
  return h("button", { type: "button", "data-key": key, onclick: click }, text);
}

/** Shows a step of a lesson. */
export function openLesson(page: Page, lesson: Lesson, index: number): void {
  const step = lesson.steps[index];
  if (step) page.change(stateOf(step.scene, nameOf(lesson, index)));
}

/** The step in an address. */
function nameOf(lesson: Lesson, index: number): string {
  return `${lesson.id}.${index + 1}`;
}

/** The lesson and the step of an address such as `checks.3`. */
function find(text: string): { lesson: Lesson; index: number; step: Step } | null {
  const [id, number] = text.split(".");
  const lesson = LESSONS.find((it) => it.id === id);
  const index = Number(number ?? "1") - 1;
  const step = lesson?.steps[index];
  return lesson && step ? { lesson, index, step } : null;
}

/**
 * The state of a step, or of a scene after the lesson. What concerns the reader alone stays: theme,
 * side at the bottom, numbers.
 */
function stateOf(scene: Scene, lesson?: string): Partial<State> {
  return {
    start: scene.start,
    moves: movesOf(scene),
    ply: Number.MAX_SAFE_INTEGER,
    panel: scene.panel ?? "layers",
    layers: scene.layers ?? INITIAL.layers,
    square: scene.square ?? null,
    editing: false,
    settings: { ...scene.settings, ...(lesson !== undefined && { lesson }) },
  };
}

function movesOf(scene: Scene): readonly string[] {
  return scene.moves?.split(" ") ?? [];
}

/** Does the state say nothing about the board or the panel, but only the lesson and how the page looks? */
function isUntouched({ start, moves, pgn, panel, layers, square, settings }: State): boolean {
  const isInitial = start === INITIAL.start && moves.length === 0 && pgn === "" && panel === INITIAL.panel;
  return isInitial && square === null && layers.join() === INITIAL.layers.join() && Object.keys(settings).length === 1;
}

/** The squares of a layer. The pieces at which a slider stops are attacked and occupied. */
function squaresOfLayer({ scene }: Page, layer: string): bigint {
  const blockers = /^([a-h][1-8])-blockers$/.exec(layer);
  const found = scene.layers(blockers ? [`attacks:${blockers[1]}`, "occupancy"] : [layer]);
  const error = found.find((layer) => layer.error !== undefined)?.error;
  if (error !== undefined) throw new Error(`${layer}: ${error}`);
  return found.map(({ squares }) => squares).reduce((all, squares) => all & squares);
}
