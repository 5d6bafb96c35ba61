// The debugger for the user's own generator: paste its divide, look into the move that differs,
// paste again.

import { compareDivide, questionFen, type ComparedMove, type Comparison, type Diagnosis } from "../counting.ts";

import { h } from "../dom.ts";
import { NO_OVERLAY, type Arrow, type Page, type Panel } from "../page.ts";
import { arrowOf } from "../perft/arrow.ts";
import { Count } from "../perft/count.ts";
import { keep, kept } from "../perft/pastes.ts";
import { printedBySample } from "../perft/sample.ts";
import { Trail, type Level } from "../perft/trail.ts";
import { sentence } from "../sentences.ts";
import { INITIAL, SAMPLE, type State } from "../state.ts";
import { texts } from "../texts.ts";
import { words } from "../texts/compare.ts";
import "../style/perft.css";

/** Deeper counts take too long for a page that waits for them. */
const DEEPEST = 8;
/** More text in a field makes the browser slow. */
const LONGEST_SHOWN = 100_000;
/** More arrows would hide the board. */
const MOST_ARROWS = 8;

export class ComparePanel implements Panel {
  readonly id = "compare";
  #page!: Page;
  readonly #trail = new Trail();
  #count: Count | null = null;
  #comparison: Comparison | null = null;
  /** The pasted text. If it is long, the field shows only a part. */
  #text = "";
  #depth!: HTMLInputElement;
  #crumbs!: HTMLElement;
  #question!: HTMLElement;
  #field!: HTMLTextAreaElement;
  #note!: HTMLElement;
  #introduction!: HTMLElement;
  /** Says that the text on show is the sample's, and leads to the reader's own. */
  #sampleNote!: HTMLElement;
  /** Is the sample in the address, and was it there at the last update? */
  #isSample = false;
  #status!: HTMLElement;
  /** Has the user just asked, by a paste or the button? */
  #isAwaited = false;
  /** The form, which is folded when there is a verdict. */
  #form!: HTMLDetailsElement;
  #formTitle = h("summary", { "data-key": "form" }, words.ask);
  #result!: HTMLElement;
  #onlyWrong = true;
  #isPlayable = true;
  /** The controls that are disabled if the position cannot be played. */
  #controls!: ReadonlyArray<HTMLButtonElement | HTMLInputElement | HTMLTextAreaElement>;

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    this.#depth = h("input", { id: "compare-depth", type: "number", min: 1, max: DEEPEST, required: true, inputmode: "numeric" });
    this.#depth.addEventListener("change", () => {
      if (!this.#depth.checkValidity()) return;
      const { value } = this.#depth;
      page.set({ compare: value === String(words.depthByDefault) ? "" : value });
    });
    this.#crumbs = h("nav", { class: "trail", "aria-label": words.trail });
    this.#question = h("pre", { class: "question", tabindex: 0, "aria-label": words.question });
    this.#field = h("textarea", {
      id: "compare-text",
      rows: 5,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: words.pasteHint,
      "aria-describedby": "compare-note",
    });
    this.#field.addEventListener("input", () => this.#take(this.#field.value));
    this.#field.addEventListener("paste", (event) => {
      this.#isAwaited = true;
      // A long text is not put into the field.
      const text = event.clipboardData?.getData("text") ?? "";
      if (text.length <= LONGEST_SHOWN) return;
      event.preventDefault();
      this.#take(text);
    });
    this.#note = h("p", { id: "compare-note", class: "note" });
    this.#status = h("p", { class: "compare-status" });
    this.#result = h("div", { class: "compare-result" });
    const compare = h("button", { type: "submit" }, words.compare);
    const form = h(
      "form",
      { class: "compare-form" },
      h("label", { for: "compare-text" }, words.paste),
      this.#field,
      this.#note,
      h("div", { class: "buttons" }, compare),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#isAwaited = true;
      this.#begin();
    });
    const copyQuestion = () => void page.copy(this.#question.textContent);
    const copyButton = h("button", { type: "button", onclick: copyQuestion }, words.copyQuestion);
    this.#controls = [this.#depth, copyButton, this.#field, compare];
    this.#introduction = h(
      "div",
      {},
      h("p", {}, words.introduction),
      h("p", {}, h("button", { type: "button", onclick: () => this.#sample() }, words.sample), ` ${words.sampleNote}`),
    );
    this.#sampleNote = h("p", { class: "note" }, `${words.isSample} `, h("button", { type: "button", onclick: () => this.#own() }, words.own));
    this.#form = h(
      "details",
      { class: "compare-question", open: true },
      this.#formTitle,
      h(
        "div",
        { class: "asking" },
        h("div", { class: "perft-field" }, h("label", { for: "compare-depth" }, words.depth), this.#depth),
        h("h2", {}, words.question),
        copyButton,
        this.#question,
      ),
      form,
    );
    this.#form.addEventListener("toggle", () => (this.#formTitle.textContent = this.#form.open ? words.ask : words.change));
    host.append(this.#introduction, this.#crumbs, this.#status, this.#sampleNote, this.#form, this.#result);
  }

  update(state: State): void {
    const wanted = Number(state.settings["compare"] ?? words.depthByDefault);
    const rootDepth = Number.isInteger(wanted) && wanted >= 1 && wanted <= DEEPEST ? wanted : words.depthByDefault;
    const isPlayable = this.#page.view.error === undefined;
    const isOther = isPlayable !== this.#isPlayable;
    this.#isPlayable = isPlayable;
    if (isOther) this.#controls.forEach((control) => (control.disabled = !isPlayable));
    if (!isPlayable) {
      this.#showUnplayable(rootDepth);
      return;
    }
    const isSample = state.settings["sample"] !== undefined;
    if (isSample && !this.#isSample) {
      this.#trail.clear();
      this.#isAwaited = true;
    }
    this.#isSample = isSample;
    const isHidden = this.#count === null && this.#text !== "";
    const line = this.#page.view.line.map((move) => move.san);
    const isRestored = this.#trail.restore(state, rootDepth, Number(state.settings["compare-from"] ?? NaN), line);
    if (isRestored || this.#trail.follow(state, rootDepth) || isHidden || isOther) this.#show();
    this.#drawArrows();
  }

  hide(): void {
    if (this.#count?.state === "running") this.#forget();
    this.#isSample = false;
  }

  /** Shows the question of the current level. */
  #show(): void {
    const { here } = this.#trail;
    if (here.text === "") here.text = (this.#isSample && printedBySample(here)) || kept(here);
    this.#forget();
    this.#depth.value = String(here.depth);
    this.#depth.disabled = this.#trail.levels.length > 1;
    this.#take(here.text, false);
    this.#drawCrumbs();
    this.#drawQuestion();
    this.#form.open = here.text === "";
    if (here.text === "") this.#isAwaited = false;
    else this.#begin();
  }

  /** Shows what the sample prints, from its first question on. */
  #sample(): void {
    const { start, settings } = SAMPLE;
    this.#isSample = false;
    this.#page.change({ start, moves: [], ply: 0, square: null, settings: { ...this.#page.state.settings, ...settings } });
    this.#formTitle.focus();
  }

  /** Leaves the sample for a question to the reader's own program. */
  #own(): void {
    const names = Object.keys(SAMPLE.settings);
    const kept = Object.entries(this.#page.state.settings).filter(([name]) => !names.includes(name));
    this.#page.change({ start: INITIAL.start, moves: [], ply: 0, square: null, settings: Object.fromEntries(kept) });
    this.#askNext();
  }

  /** Folds the form, so that the verdict has its place. The focus stays in sight. */
  #fold(): void {
    const hadFocus = this.#form.contains(document.activeElement);
    this.#form.open = false;
    if (hadFocus) this.#formTitle.focus();
  }

  /** Leads the user to the field, or to the answer that is already there. */
  #askNext(): void {
    (this.#form.open ? this.#field : this.#formTitle).focus();
  }

  /** Shows that there is no question. The trail stays, so that the user can go back. */
  #showUnplayable(depth: number): void {
    this.#forget();
    this.#depth.value = String(depth);
    this.#take("", false);
    this.#crumbs.replaceChildren();
    this.#question.textContent = "";
    this.#status.textContent = texts.moves.unplayable;
  }

  #forget(): void {
    this.#count?.stop();
    this.#count = null;
    this.#comparison = null;
    this.#status.textContent = "";
    delete this.#status.dataset["outcome"];
    this.#result.replaceChildren();
    this.#drawArrows();
  }

  take(text: string): void {
    if (!this.#isPlayable) return;
    this.#isAwaited = true;
    this.#field.value = text.slice(0, LONGEST_SHOWN);
    this.#take(text);
    this.#askNext();
  }

  /** Takes a text that was pasted or typed. */
  #take(text: string, isNew = true): void {
    this.#text = text;
    // A user with a text to compare knows the purpose of the panel.
    this.#introduction.hidden = text !== "";
    this.#sampleNote.hidden = text === "" || text !== printedBySample(this.#trail.here);
    const isLong = text.length > LONGEST_SHOWN;
    if (isLong || !isNew) this.#field.value = text.slice(0, LONGEST_SHOWN);
    this.#note.textContent = isLong ? words.shortened(text.length) : "";
    if (!isNew) return;
    this.#trail.here.text = text;
    keep(this.#trail.here);
    // The old comparison no longer matches the text in the field.
    this.#comparison = null;
    this.#result.replaceChildren();
    this.#drawArrows();
    if (text.trim() !== "") this.#begin();
    // Another text is no sample: a link or a reload must not bring that back.
    if (this.#isSample) this.#page.set({ sample: "" });
  }

  /** Counts the right numbers, and then compares. */
  #begin(): void {
    const { here } = this.#trail;
    const { question } = here;
    if (this.#count && this.#count.question === question && this.#count.state !== "stopped") {
      this.#counted(this.#count);
      return;
    }
    this.#count?.stop();
    try {
      const workers = navigator.hardwareConcurrency || 1;
      this.#count = new Count(question, { workers, table: 0, byCategory: false }, (count) => this.#counted(count));
    } catch (error) {
      this.#status.textContent = (error as Error).message;
      this.#page.announce(this.#status.textContent);
      return;
    }
    this.#counted(this.#count);
  }

  #counted(count: Count): void {
    if (count !== this.#count || count.question !== this.#trail.here.question) return;
    if (count.state === "running") {
      this.#status.textContent = words.counting(count.share);
    } else if (count.state === "failed") {
      this.#status.textContent = words.failed(count.failures.at(-1) ?? "");
      this.#page.announce(this.#status.textContent);
    } else if (count.state === "complete") {
      this.#compare(count);
    }
  }

  #compare(count: Count): void {
    const { here } = this.#trail;
    const right = count.moves.map(({ uci, nodes }) => ({ uci, count: nodes }));
    const { start, moves, depth } = here.question;
    const comparison = compareDivide({ start, moves, depth, played: here.played, above: here.above }, right, this.#text);
    this.#comparison = comparison;
    this.#draw(comparison);
    this.#drawArrows();
    // A text that can't be read is still in work.
    if (comparison.outcome === "unreadable") this.#form.open = true;
    else if (this.#isAwaited) this.#fold();
    // On a small screen the answer to a pasted text may lie below the edge.
    // Its first lines matter most.
    if (this.#isAwaited) for (const it of [this.#result.querySelector(".diagnosis, .notice"), this.#status, this.#crumbs]) it?.scrollIntoView({ block: "nearest" });
    this.#isAwaited = false;
    const first = comparison.diagnoses[0];
    this.#page.announce([this.#status.textContent, first?.description ?? ""].join(" "));
  }

  /** Moves one level down, into a move. */
  #descend(row: ComparedMove): void {
    const comparison = this.#comparison;
    if (!comparison || row.theirs === undefined) return;
    // With this setting, a link leads to the same level.
    this.#page.set({ "compare-from": String(this.#trail.levels[0]!.moves.length) });
    this.#trail.descend(row.uci, row.san ?? row.uci, { count: row.theirs, mostWrong: comparison.mostWrong });
    this.#isAwaited = true;
    this.#page.play(row.uci);
    this.#askNext();
  }

  /** Asks about the same position again, but the program has to play the move. */
  #askPlayed(): void {
    this.#trail.askPlayed();
    this.#show();
    this.#askNext();
  }

  #drawCrumbs(): void {
    const { levels } = this.#trail;
    const item = (level: Level, index: number) => {
      const text = words.level(level.move, level.depth);
      const isHere = index === levels.length - 1;
      const up = () => this.#page.change({ moves: level.moves, ply: level.moves.length, square: null });
      return h(
        "li",
        {},
        isHere ? h("span", { "aria-current": "step" }, text) : h("button", { type: "button", onclick: up }, text),
      );
    };
    this.#crumbs.replaceChildren(h("ol", {}, ...levels.map(item)));
  }

  #drawQuestion(): void {
    const { here } = this.#trail;
    const before = here.moves.slice(0, here.moves.length - here.played);
    const played = here.moves.slice(here.moves.length - here.played);
    const fen = questionFen(here.question.start, before.join(" "));
    const moves = played.length > 0 ? ` moves ${played.join(" ")}` : "";
    this.#question.textContent = `position fen ${fen}${moves}\ngo perft ${here.depth}`;
  }

  #draw(comparison: Comparison): void {
    const { moves, diagnoses, remarks, unread } = comparison;
    const number = (state: ComparedMove["state"]) => moves.filter((row) => row.state === state).length;
    const summary = words.summary({
      differs: number("differs"),
      missing: number("missing"),
      illegal: number("illegal"),
      twice: number("twice"),
    });
    const theirs = comparison.printedTotal ?? comparison.sum;
    // A list of moves without counts says nothing about the counts.
    const hasCounts = moves.some((row) => row.theirs !== undefined);
    const isListOnly = comparison.outcome === "agrees" && this.#trail.here.depth > 1 && moves.length > 0 && !hasCounts && comparison.printedTotal === undefined;
    const isPart = comparison.outcome === "agrees" && remarks.some((remark) => remark.kind === "incomplete");
    this.#status.textContent = [
      isPart ? words.partAgrees : isListOnly ? words.listAgrees : unread[0] ? words.unread(unread[0]) : words.outcome[comparison.outcome],
      summary === "" ? "" : `${summary}.`,
      comparison.outcome === "unreadable" ? "" : words.totals(comparison.rightTotal, theirs),
    ]
      .filter((part) => part !== "")
      .join(" ");
    this.#status.dataset["outcome"] = comparison.outcome;
    const { here } = this.#trail;
    const isRight = moves.every((row) => row.state === "same" || row.state === "unknown");
    const canAskPlayed = isRight && diagnoses.length > 0 && here.above !== undefined && here.played === 0;
    this.#result.replaceChildren(
      ...remarks.map((remark) => h("p", { class: "note", "data-remark": remark.kind }, remark.text)),
      ...diagnoses.map((it) => this.#otherDepth(it) ?? this.#diagnosis(it)),
      ...(canAskPlayed ? [this.#playedAgain()] : []),
      ...(comparison.outcome === "unreadable" ? [] : [this.#next(comparison), this.#table(comparison)]),
      ...(comparison.leftOut > 0 ? [h("p", { class: "note" }, words.leftOut(comparison.leftOut))] : []),
    );
  }

  /** A remark in place of a bug, if the numbers are those of another depth. */
  #otherDepth(it: Diagnosis): HTMLElement | null {
    const depth = Number(/(?:those|that) of depth (\d+)/.exec(it.note ?? "")?.[1]);
    if (it.class !== "counting-depth" || !(depth >= 1 && depth <= DEEPEST) || this.#trail.levels.length > 1) return null;
    return h(
      "div",
      { class: "notice", "data-remark": "otherDepth" },
      h("p", {}, words.otherDepth(depth, this.#trail.here.depth)),
      h("button", { type: "button", onclick: () => this.#askAt(depth, this.#text) }, words.compareAt(depth)),
    );
  }

  /** Asks about the same position at another depth. */
  #askAt(depth: number, text: string): void {
    this.#trail.here.text = text;
    this.#page.set({ compare: depth === words.depthByDefault ? "" : String(depth) });
  }

  #diagnosis(it: Diagnosis): HTMLElement {
    const show = () => this.#page.setOverlay({ marks: [{ name: it.class, squares: it.squares, color: 3, style: "tint" }], arrows: [] }, this.id);
    const section = h(
      "section",
      { class: "diagnosis", "data-class": it.class, tabindex: 0, "aria-label": `${words.bug}: ${it.description}` },
      h("h3", {}, it.description),
      h("p", {}, h("code", {}, it.class)),
      it.note !== undefined && h("p", {}, sentence(it.note)),
      it.reasons.length > 0 && h("ul", {}, ...it.reasons.map((reason) => h("li", {}, sentence(reason)))),
      h("p", {}, h("strong", {}, `${words.hint}: `), it.hint),
    );
    section.addEventListener("pointerenter", show);
    section.addEventListener("pointerleave", () => this.#drawArrows());
    section.addEventListener("focus", show);
    section.addEventListener("blur", () => this.#drawArrows());
    return section;
  }

  #playedAgain(): HTMLElement {
    return h(
      "div",
      {},
      h("p", {}, words.playedHint),
      h("button", { type: "button", class: "ask-played", onclick: () => this.#askPlayed() }, words.playedAgain),
    );
  }

  /** A button for the first move to examine. */
  #next(comparison: Comparison): HTMLElement {
    const first = comparison.moves.find((row) => row.uci === comparison.descend[0]);
    return h(
      "div",
      { class: "buttons" },
      first &&
        h(
          "button",
          { type: "button", class: "look-into", onclick: () => this.#descend(first) },
          `${words.next}: ${words.lookInto(first.san ?? first.uci)}`,
        ),
      // With a total alone, the count of another depth tells how deep the error is.
      this.#canAskLess(comparison) && this.#asksAt(this.#trail.here.depth - 1),
      // A bug may show only deeper.
      this.#canAskMore(comparison) && this.#asksAt(this.#trail.here.depth + 1),
    );
  }

  #asksAt(depth: number): HTMLElement {
    return h("button", { type: "button", onclick: () => this.#askAt(depth, "") }, words.askAt(depth));
  }

  #canAskMore(comparison: Comparison): boolean {
    const { here, levels } = this.#trail;
    const isCounted = comparison.printedTotal !== undefined || comparison.sum !== undefined;
    return comparison.outcome === "agrees" && isCounted && here.depth < DEEPEST && levels.length === 1;
  }

  #canAskLess(comparison: Comparison): boolean {
    const { here, levels } = this.#trail;
    return comparison.outcome === "differs" && here.depth > 1 && levels.length === 1;
  }

  #table(comparison: Comparison): HTMLElement {
    const hasWrong = comparison.moves.some(isWrong);
    const body = h("tbody");
    const fill = () => {
      const shown = comparison.moves.filter((row) => !hasWrong || !this.#onlyWrong || isWrong(row));
      body.replaceChildren(...shown.map((row) => this.#row(row, comparison)));
    };
    fill();
    const only = h("input", { type: "checkbox", checked: this.#onlyWrong });
    only.addEventListener("change", () => {
      this.#onlyWrong = only.checked;
      fill();
    });
    const { columns } = words;
    const head = [columns.move, columns.right, columns.theirs, columns.difference, columns.what];
    return h(
      "div",
      { class: "scrolling", tabindex: 0, role: "region", "aria-label": words.table },
      hasWrong && h("label", { class: "check" }, only, words.onlyWrong),
      h(
        "table",
        { class: "compared" },
        h("thead", {}, h("tr", {}, ...head.map((title) => h("th", { scope: "col" }, title)))),
        body,
      ),
    );
  }

  #row(row: ComparedMove, comparison: Comparison): HTMLElement {
    const canDescend = comparison.descend.includes(row.uci);
    const name = row.san ?? row.uci;
    const move = canDescend
      ? h("button", { type: "button", "aria-label": words.lookInto(name), onclick: () => this.#descend(row) }, name)
      : name;
    const number = (value: bigint | undefined) => (value === undefined ? "" : value.toLocaleString("en"));
    const difference = row.difference ?? 0n;
    const sign = difference > 0n ? "+" : "";
    // What a diagnosis says is not said again.
    const isSaid = comparison.diagnoses.some(({ reasons }) => row.reason !== undefined && reasons.includes(row.reason));
    const what = [words.states[row.state], row.class, isSaid ? undefined : row.reason].filter((part) => part !== undefined).join(": ");
    const line = h(
      "tr",
      { "data-move": row.uci, "data-state": row.state },
      h("th", { scope: "row" }, move, row.san !== undefined && h("code", {}, ` ${row.uci}`)),
      h("td", { class: "number" }, row.state === "illegal" ? "" : number(row.right)),
      h("td", { class: "number" }, number(row.theirs)),
      h("td", { class: "number" }, difference === 0n ? "" : `${sign}${number(difference)}`),
      h("td", {}, what),
    );
    line.addEventListener("pointerenter", () => this.#page.setOverlay({ marks: [], arrows: arrows([row]) }, this.id));
    line.addEventListener("pointerleave", () => this.#drawArrows());
    return line;
  }

  #drawArrows(): void {
    const { moves, descend } = this.#comparison ?? { moves: [], descend: [] };
    const wrong = moves.filter(isWrong);
    const next = wrong.find(({ uci }) => uci === descend[0]) ?? wrong[0];
    const shown = wrong.length > MOST_ARROWS ? [next!] : wrong;
    const overlay = shown.length > 0 ? { marks: [], arrows: arrows(shown) } : NO_OVERLAY;
    this.#page.setOverlay(overlay, this.id);
  }
}

function isWrong(row: ComparedMove): boolean {
  return row.state === "differs" || row.state === "missing" || row.state === "illegal" || row.state === "twice";
}

/** The arrows of the moves that have squares. */
function arrows(rows: readonly ComparedMove[]): Arrow[] {
  const kind = ({ state }: ComparedMove) => (state === "illegal" ? "bad" : state === "missing" ? "good" : "plain");
  return rows.map((row) => arrowOf(row.uci, kind(row))).filter((arrow) => arrow !== null);
}
