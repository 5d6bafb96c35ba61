// The panel of perft: counts in workers, with the divide as a table.

import { knownCounts } from "../counting.ts";

import { h } from "../dom.ts";
import type { Page, Panel } from "../page.ts";
import { Categories } from "../perft/categories.ts";
import { Count, type Question } from "../perft/count.ts";
import { Divide } from "../perft/divide.ts";
import { asJson, asText } from "../perft/written.ts";
import { playedMoves, type State } from "../state.ts";
import { texts } from "../texts.ts";
import { words } from "../texts/perft.ts";
import "../style/perft.css";

/** A deeper count would take longer than a lifetime. */
const DEEPEST = 20;
const MOST_WORKERS = 64;
/** A count of fewer seconds says nothing about the speed. */
const SHORTEST_WITH_RATE = 0.01;
/** The time between two drawings of a running count: its clock moves without results, too. */
const MILLISECONDS_PER_DRAWING = 250;
const TABLES = [0, 16, 64, 256] as const;

export class PerftPanel implements Panel {
  readonly id = "perft";
  #page!: Page;
  #depth!: HTMLInputElement;
  #workers!: HTMLInputElement;
  #table!: HTMLSelectElement;
  #byCategory!: HTMLInputElement;
  #start!: HTMLButtonElement;
  #stop!: HTMLButtonElement;
  #status!: HTMLElement;
  #progress!: HTMLProgressElement;
  #result!: HTMLElement;
  #divide!: Divide;
  #categories: Categories | null = null;
  #buttons!: HTMLElement;
  #count: Count | null = null;
  /** The published number of leaf nodes, if there is one. */
  #known: bigint | undefined;
  /** The timer of the drawings of a running count. */
  #timer: number | undefined;
  #notice!: HTMLElement;
  #isPlayable = true;

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    const set = (name: string, value: string, initial: string) => page.set({ [name]: value === initial ? "" : value });
    const number = (id: string, most: number, changed: (value: string) => void) => {
      const input = h("input", { id, type: "number", min: 1, max: most, step: 1, inputmode: "numeric", required: true });
      input.addEventListener("change", () => {
        if (input.checkValidity()) changed(input.value);
      });
      return input;
    };
    this.#depth = number("perft-depth", DEEPEST, (value) => set("perft", value, String(words.depthByDefault)));
    this.#workers = number("perft-workers", MOST_WORKERS, (value) => set("workers", value, String(cores())));
    this.#table = h(
      "select",
      { id: "perft-table", onchange: () => set("table", this.#table.value, "0") },
      ...TABLES.map((size) => h("option", { value: size }, words.tableSize(size))),
    );
    this.#byCategory = h("input", {
      id: "perft-categories",
      type: "checkbox",
      onchange: () => set("categories", this.#byCategory.checked ? "1" : "", ""),
    });
    this.#start = h("button", { type: "submit" }, words.start);
    this.#stop = h("button", { type: "button", disabled: true, onclick: () => this.#count?.stop() }, words.stop);
    const field = (label: string, control: HTMLElement) =>
      h("div", { class: "perft-field" }, h("label", { for: control.id }, label), control);
    const form = h(
      "form",
      { class: "perft-form" },
      field(words.depth, this.#depth),
      field(words.workers, this.#workers),
      field(words.table, this.#table),
      h("label", { class: "check" }, this.#byCategory, words.byCategory),
      h("div", { class: "buttons" }, this.#start, this.#stop),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.#status = h("p", { class: "perft-status" });
    this.#progress = h("progress", { max: 1, "aria-label": words.progress });
    this.#divide = new Divide(page);
    this.#buttons = h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", onclick: () => this.#copy(asText) }, words.copyText),
      h("button", { type: "button", onclick: () => this.#copy(asJson) }, words.copyJson),
    );
    this.#notice = h("div", { class: "notice", role: "alert", hidden: true });
    this.#result = h("div", { hidden: true }, this.#progress, this.#buttons, this.#divide.element);
    host.append(form, this.#notice, this.#status, this.#result, h("p", { class: "note" }, words.introduction));
  }

  update(state: State): void {
    const { settings } = state;
    this.#depth.value = settings["perft"] ?? String(words.depthByDefault);
    this.#workers.value = settings["workers"] ?? String(cores());
    this.#table.value = settings["table"] ?? "0";
    this.#byCategory.checked = settings["categories"] === "1";
    const question = this.#count?.question;
    const isOther = question !== undefined && (question.start !== state.start || question.moves !== playedMoves(state));
    if (isOther && this.#count?.state !== "running") this.#forget();
    this.#ask(isOther && this.#count?.state === "running" ? question : null);
    const isPlayable = this.#page.view.error === undefined;
    if (isPlayable === this.#isPlayable) return;
    this.#isPlayable = isPlayable;
    this.#start.disabled = !isPlayable;
    this.#status.textContent = isPlayable ? "" : texts.moves.unplayable;
  }

  #begin(): void {
    this.#forget();
    const { state } = this.#page;
    const question = { start: state.start, moves: playedMoves(state), depth: Number(this.#depth.value) };
    const options = {
      workers: Number(this.#workers.value),
      table: Number(this.#table.value),
      byCategory: this.#byCategory.checked,
    };
    try {
      this.#count = new Count(question, options, (count) => this.#changed(count));
    } catch (error) {
      this.#status.textContent = (error as Error).message;
      this.#page.announce(this.#status.textContent);
      return;
    }
    this.#known = knownCounts(question.start, question.moves)[question.depth - 1];
    if (options.byCategory) this.#divide.element.before((this.#categories = new Categories()).element);
    this.#page.announce(words.begun);
    this.#timer = window.setInterval(() => this.#count && this.#draw(this.#count), MILLISECONDS_PER_DRAWING);
    this.#draw(this.#count);
  }

  /** Asks what to do with a running count, if the board shows another position. */
  #ask(question: Question | null): void {
    const hasChanged = this.#notice.hidden !== (question === null);
    if (!hasChanged) return;
    this.#notice.hidden = question === null;
    if (question === null) return;
    const list = question.moves === "" ? [] : question.moves.split(" ");
    const back = () => this.#page.change({ start: question.start, moves: list, ply: list.length, square: null });
    const button = (text: string, click: () => void) => h("button", { type: "button", onclick: click }, text);
    this.#notice.replaceChildren(
      h("p", {}, words.otherPosition(question.moves)),
      h("div", { class: "buttons" }, button(words.backToIt, back), button(words.dropIt, () => this.#forget())),
    );
  }

  /** Ends the count and removes its result. */
  #forget(): void {
    const count = this.#count;
    // This comes first, so that the end of the count is not announced.
    this.#count = null;
    count?.stop();
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#ask(null);
    this.#categories?.element.remove();
    this.#categories = null;
    this.#result.hidden = true;
    this.#status.textContent = "";
    delete this.#status.dataset["state"];
    this.#stop.disabled = true;
  }

  #changed(count: Count): void {
    // The constructor of a count may call back before it returns.
    if (count !== this.#count) return;
    if (count.state === "running") return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw(count);
    this.#page.announce(this.#status.textContent);
  }

  #draw(count: Count): void {
    const isRunning = count.state === "running";
    this.#result.hidden = false;
    this.#stop.disabled = !isRunning;
    this.#progress.hidden = !isRunning;
    this.#progress.value = count.share;
    this.#buttons.hidden = isRunning;
    this.#status.textContent = isRunning ? this.#running(count) : this.#ended(count);
    this.#status.dataset["state"] = count.state;
    this.#divide.show(count);
    this.#categories?.show(count.categories);
  }

  #running(count: Count): string {
    const failures = count.failures.length > 0 ? ` ${words.failures(count.failures.length, count.failures.at(-1)!)}` : "";
    return words.running(count.nodes, count.question.depth, count.clock, count.secondsLeft) + failures;
  }

  #ended(count: Count): string {
    const known = this.#known;
    return [
      words.state[count.state as keyof typeof words.state],
      words.total(count.nodes, count.question.depth, count.seconds, count.seconds < SHORTEST_WITH_RATE ? null : count.rate),
      count.state === "complete" && known !== undefined ? words.known(count.nodes === known, known) : "",
      count.failures.length > 0 ? words.failures(count.failures.length, count.failures.at(-1)!) : "",
    ]
      .filter((part) => part !== "")
      .join(" ");
  }

  #copy(write: (count: Count) => string): void {
    if (this.#count) void this.#page.copy(write(this.#count));
  }
}

/** The default number of workers: one for each core that the browser reports. */
function cores(): number {
  return Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1);
}
