// The panel of perft: counts in workers, with the divide as a table.

import { knownCounts, perftCategories, type PerftCategory } from "tabiya";

import { copy, h } from "../dom.ts";
import type { Page, Panel } from "../page.ts";
import { Count } from "../perft/count.ts";
import { asJson, asText, Divide, rateOf } from "../perft/divide.ts";
import { playedMoves, type State } from "../state.ts";
import { texts } from "../texts.ts";

const words = texts.perft;

/** A deeper count would not end in a lifetime. */
const DEEPEST = 20;
const MOST_WORKERS = 64;
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
  #categories!: HTMLElement;
  #buttons!: HTMLElement;
  #count: Count | null = null;
  #isDrawn = true;

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
    this.#status = h("p", { class: "perft-status", role: "status" });
    this.#progress = h("progress", { max: 1, "aria-label": words.progress });
    this.#divide = new Divide(page);
    this.#categories = h("div", { class: "perft-categories" });
    this.#buttons = h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", onclick: () => this.#copy(asText) }, words.copyText),
      h("button", { type: "button", onclick: () => this.#copy(asJson) }, words.copyJson),
    );
    this.#result = h("div", { hidden: true }, this.#progress, this.#buttons, this.#categories, this.#divide.element);
    host.append(h("p", {}, words.introduction), form, this.#status, this.#result);
  }

  update(state: State): void {
    const { settings } = state;
    this.#depth.value = settings["perft"] ?? String(words.depthByDefault);
    this.#workers.value = settings["workers"] ?? String(cores());
    this.#table.value = settings["table"] ?? "0";
    this.#byCategory.checked = settings["categories"] === "1";
    const isPlayable = this.#page.view.error === undefined;
    this.#start.disabled = !isPlayable;
    const question = this.#count?.question;
    if (question && (question.start !== state.start || question.moves !== playedMoves(state))) this.#forget();
    if (!isPlayable) this.#status.textContent = texts.moves.unplayable;
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
      return;
    }
    this.#page.announce(words.begun);
    this.#draw(this.#count);
  }

  /** Ends the count and removes its result. */
  #forget(): void {
    this.#count?.stop();
    this.#count = null;
    this.#result.hidden = true;
    this.#status.textContent = "";
    this.#stop.disabled = true;
  }

  #changed(count: Count): void {
    // The constructor of a count may call back before it returns.
    if (count !== this.#count || !this.#isDrawn) return;
    if (count.state !== "running") {
      this.#draw(count);
      this.#page.announce(this.#status.textContent);
      return;
    }
    this.#isDrawn = false;
    requestAnimationFrame(() => {
      this.#isDrawn = true;
      if (count === this.#count) this.#draw(count);
    });
  }

  #draw(count: Count): void {
    const isRunning = count.state === "running";
    this.#result.hidden = false;
    this.#stop.disabled = !isRunning;
    this.#progress.hidden = !isRunning;
    this.#progress.value = count.share;
    this.#buttons.hidden = isRunning;
    const { question } = count;
    const known = knownCounts(question.start, question.moves)[question.depth - 1];
    this.#status.textContent = [
      words.state[count.state],
      words.total(count.nodes, count.seconds, rateOf(count)),
      count.state === "complete" && known !== undefined ? words.known(count.nodes === known, known) : "",
      count.failures.length > 0 ? words.failures(count.failures.length, count.failures.at(-1)!) : "",
    ]
      .filter((part) => part !== "")
      .join(" ");
    this.#status.dataset["state"] = count.state;
    this.#divide.show(count);
    this.#categories.replaceChildren(...(count.options.byCategory ? [categoryTable(count)] : []));
  }

  async #copy(write: (count: Count) => string): Promise<void> {
    if (!this.#count) return;
    const isDone = await copy(write(this.#count));
    this.#page.announce(isDone ? texts.page.copied : texts.page.notCopied);
  }
}

/** One worker a core, unless the browser does not tell. */
function cores(): number {
  return Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1);
}

function categoryTable(count: Count): HTMLElement {
  const rows = perftCategories().map((category: PerftCategory, index) =>
    h(
      "tr",
      { title: category.definition },
      h("th", { scope: "row" }, category.title),
      h("td", { class: "number" }, (count.categories[index] ?? 0n).toLocaleString("en")),
    ),
  );
  return h(
    "details",
    { open: true },
    h("summary", {}, words.categories),
    h("table", {}, h("tbody", {}, ...rows)),
  );
}
