// The tabs of the panels.

import { h } from "./dom.ts";
import { NO_OVERLAY, type Page, type Panel, type Pointing, type Use } from "./page.ts";
import { openPanel } from "./panels/index.ts";
import { PANELS, type PanelId } from "./state.ts";
import { texts } from "./texts.ts";

interface Tab {
  readonly id: PanelId;
  readonly button: HTMLButtonElement;
  readonly host: HTMLElement;
  /** The panel, if it has been opened. */
  panel: Panel | null;
  /** Ends when the code of the panel has been loaded, or could not be. */
  opening: Promise<void> | null;
}

export class Tabs {
  /** The tabs. They're apart from the panels, so that they stay where they are. */
  readonly list: HTMLElement;
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #board: Pointing;
  readonly #tabs: readonly Tab[];
  #shown: Panel | null = null;
  /** On a low screen the tabs stand below each other, as in `page.css`. */
  readonly #rail = matchMedia("(max-height: 540px) and (orientation: landscape)");

  constructor(page: Page, board: Pointing) {
    this.#page = page;
    this.#board = board;
    this.#tabs = PANELS.map((id) => this.#tab(id));
    const buttons = this.#tabs.map((tab) => tab.button);
    const list = (this.list = h("div", { role: "tablist", "aria-label": texts.page.panels }, ...buttons));
    list.addEventListener("keydown", (event) => this.#key(event));
    const orient = () => list.setAttribute("aria-orientation", this.#rail.matches ? "vertical" : "horizontal");
    this.#rail.addEventListener("change", orient);
    orient();
    this.element = h("div", { class: "panels" }, h("h2", { class: "visually-hidden" }, texts.page.panels), ...this.#tabs.map((tab) => tab.host));
  }

  /** What a click on the board does, if the panel decides that. */
  get use(): Use | undefined {
    return this.#shown?.use;
  }

  /** Shows a panel, and waits for its code; `null` if that can't be loaded. */
  async open(id: PanelId): Promise<Panel | null> {
    this.#page.change({ panel: id });
    const tab = this.#tabs.find((it) => it.id === id)!;
    await tab.opening;
    return tab.panel;
  }

  /** Shows the panel of the state. The element must be in the page. */
  update(): void {
    const { state } = this.#page;
    for (const tab of this.#tabs) {
      const isShown = tab.id === state.panel;
      tab.button.setAttribute("aria-selected", String(isShown));
      tab.button.tabIndex = isShown ? 0 : -1;
      tab.host.hidden = !isShown;
      if (!isShown) continue;
      if (!tab.panel) this.#open(tab);
      if (this.#shown !== tab.panel) {
        // The panel's drawing on the board disappears with it.
        this.#shown?.hide?.();
        if (this.#shown) this.#page.setOverlay(NO_OVERLAY);
        this.#shown = tab.panel;
      }
      tab.panel?.update(state);
    }
  }

  #tab(id: PanelId): Tab {
    const button = h(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.#page.change({ panel: id }) },
      texts.page.tabs[id],
    );
    const host = h("section", { role: "tabpanel", id: `panel-${id}`, class: "panel", "aria-labelledby": `tab-${id}`, hidden: true });
    return { id, button, host, panel: null, opening: null };
  }

  /** Opens a panel. A panel with separate code is shown when the code has been loaded. */
  #open(tab: Tab): void {
    if (tab.opening) return;
    const panel = openPanel(tab.id);
    const mount = (opened: Panel) => {
      tab.host.replaceChildren();
      tab.panel = opened;
      opened.mount(tab.host, this.#page, this.#board);
    };
    if (!(panel instanceof Promise)) {
      mount(panel);
      return;
    }
    tab.host.replaceChildren(h("p", { role: "status" }, texts.page.loading));
    const refuse = () => tab.host.replaceChildren(h("p", { role: "alert", class: "error" }, texts.page.notLoaded));
    const show = (opened: Panel) => {
      mount(opened);
      this.update();
    };
    tab.opening = panel.then(show, refuse).finally(() => (tab.opening = null));
  }

  #key(event: KeyboardEvent): void {
    const here = this.#tabs.findIndex((tab) => tab.id === this.#page.state.panel);
    const count = this.#tabs.length;
    const [next, previous] = this.#rail.matches ? ["ArrowDown", "ArrowUp"] : ["ArrowRight", "ArrowLeft"];
    const to: Record<string, number> = {
      [next!]: (here + 1) % count,
      [previous!]: (here + count - 1) % count,
      Home: 0,
      End: count - 1,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    this.#page.change({ panel: this.#tabs[index]!.id });
    this.#tabs[index]!.button.focus();
    this.#tabs[index]!.button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
