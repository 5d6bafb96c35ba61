/** What every test of the page stands on: a server, and a page in which nothing may go wrong. */
import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Page, test as base } from "@playwright/test";

import { type Server, serve } from "./server.ts";

export { expect };
export type { Page };

/** The built page. */
export const dist = fileURLToPath(new URL("../dist", import.meta.url));

export interface Fixtures {
  /** Everything that went wrong in the pages of this test. The test fails if something did. */
  problems: string[];
  /** The explorer, opened at its start. The fragment of an address follows `#`. */
  explorer: Page;
  /** Opens the explorer at a fragment, such as `#…`; empty for its start. */
  open: (fragment: string) => Promise<Page>;
}

/** `test` with a page that fails on an error in the console or a request that leaves its host. */
export const test = base.extend<Fixtures, { server: Server }>({
  server: [async ({}, use) => {
    const server = await serve(dist);
    await use(server);
    await server.stop();
  }, { scope: "worker" }],

  baseURL: async ({ server }, use) => use(server.address),

  problems: [async ({ context }, use) => {
    const problems: string[] = [];
    watch(context, problems);
    await use(problems);
    expect(problems, "what went wrong in the page").toEqual([]);
  }, { auto: true }],

  open: async ({ page }, use) => {
    await use(async (fragment) => {
      const isOpen = page.url() !== "about:blank";
      await page.goto(`./${fragment}`);
      // Another fragment alone would not load the page anew.
      if (isOpen && fragment !== "") await page.reload();
      return page;
    });
  },

  explorer: async ({ open }, use) => use(await open("")),
});

/** Writes down what goes wrong in the pages of a context and in their workers. */
export function watch(context: BrowserContext, problems: string[]): void {
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      problems.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  context.on("weberror", (error) => problems.push(`error: ${error.error()}`));
  context.on("request", (request) => {
    const stays = /^(http:\/\/127\.0\.0\.1:|blob:|data:)/.test(request.url());
    if (!stays) problems.push(`request: ${request.url()}`);
  });
}
