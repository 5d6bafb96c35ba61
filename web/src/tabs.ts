// The tabs of the panels.

import { h } from "./dom.ts";
import type { Page, Panel } from "./page.ts";
import { texts } from "./texts.ts";

export class Tabs {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #panels: readonly Panel[];
  readonly #tabs: HTMLButtonElement[];
  readonly #hosts: HTMLElement[];
  readonly #mounted = new Set<Panel>();
  #shown: Panel | null = null;

  constructor(page: Page, panels: readonly Panel[]) {
    this.#page = page;
    this.#panels = panels;
    this.#tabs = panels.map(({ id }) =>
      h(
        "button",
        { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => page.change({ panel: id }) },
        texts.page.tabs[id],
      ),
    );
    this.#hosts = panels.map(({ id }) =>
      h("section", { role: "tabpanel", id: `panel-${id}`, class: "panel", "aria-labelledby": `tab-${id}`, hidden: true }),
    );
    const list = h("div", { role: "tablist", "aria-label": texts.page.panels }, ...this.#tabs);
    list.addEventListener("keydown", (event) => this.#key(event));
    this.element = h("div", { class: "panels" }, list, ...this.#hosts);
  }

  /** Shows the panel of the state for the first time. The element must be in the page. */
  mount(): void {
    this.update();
  }

  update(): void {
    const { state } = this.#page;
    this.#panels.forEach((panel, index) => {
      const isShown = panel.id === state.panel;
      const [tab, host] = [this.#tabs[index]!, this.#hosts[index]!];
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      host.hidden = !isShown;
      if (!isShown) return;
      if (!this.#mounted.has(panel)) {
        this.#mounted.add(panel);
        panel.mount(host, this.#page);
      }
      if (this.#shown !== panel) this.#shown?.hide?.();
      this.#shown = panel;
      panel.update(state);
    });
  }

  #key(event: KeyboardEvent): void {
    const here = this.#panels.findIndex((panel) => panel.id === this.#page.state.panel);
    const count = this.#panels.length;
    const to: Record<string, number> = {
      ArrowRight: (here + 1) % count,
      ArrowLeft: (here + count - 1) % count,
      Home: 0,
      End: count - 1,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    this.#page.change({ panel: this.#panels[index]!.id });
    this.#tabs[index]!.focus();
  }
}
