// Panels that are loaded when they are first shown: what they need is larger than the page.

import { h } from "../dom.ts";
import type { Page, Panel } from "../page.ts";
import type { State } from "../state.ts";
import { texts } from "../texts.ts";

export class LazyPanel implements Panel {
  readonly id: Panel["id"];
  readonly #load: () => Promise<Panel>;
  #panel: Panel | null = null;
  #page!: Page;

  constructor(id: Panel["id"], load: () => Promise<Panel>) {
    this.id = id;
    this.#load = load;
  }

  mount(host: HTMLElement, page: Page): void {
    this.#page = page;
    void this.#fill(host);
  }

  update(state: State): void {
    this.#panel?.update(state);
  }

  hide(): void {
    this.#panel?.hide?.();
  }

  async #fill(host: HTMLElement): Promise<void> {
    host.replaceChildren(h("p", { role: "status" }, texts.page.loading));
    try {
      const panel = await this.#load();
      host.replaceChildren();
      panel.mount(host, this.#page);
      this.#panel = panel;
      if (this.#page.state.panel === this.id) panel.update(this.#page.state);
    } catch {
      const again = h("button", { type: "button", onclick: () => location.reload() }, texts.page.loadAgain);
      host.replaceChildren(h("p", { class: "error", role: "alert" }, texts.page.notLoaded), again);
    }
  }
}
