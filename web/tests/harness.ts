/** The basis of all tests of the page: a server, and a page that fails the test on any error. */
import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Locator, type Page, test as base } from "@playwright/test";

import { type Server, serve } from "./server.ts";

export { expect };
export type { Locator, Page };

/** The built page. */
export const dist = fileURLToPath(new URL("../dist", import.meta.url));

export interface Fixtures {
  /** All errors in the pages of this test. The test fails if there is one. */
  problems: string[];
  /** The explorer with the usual start position. */
  explorer: Page;
  /** Opens the explorer at a fragment, such as `#…`; an empty one means the front page. */
  open: (fragment: string) => Promise<Page>;
}

/** `test` with a page that fails on a console error or a request to another host. */
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
      // A change of the fragment alone would not reload the page.
      if (isOpen && fragment !== "") await page.reload();
      return page;
    });
  },

  explorer: async ({ open }, use) => use(await open("#fen=startpos")),
});

/** Records errors in the pages of a context and in their workers. */
export function watch(context: BrowserContext, problems: string[]): void {
  context.on("console", (message) => {
    // A warning of Playwright, about its own setting.
    if (message.text() === "Service Worker registration blocked by Playwright") return;
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
