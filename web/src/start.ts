// Starts the page, or says why it cannot start.

import { texts } from "./texts.ts";

const host = document.getElementById("page")!;
host.textContent = texts.page.loading;

import("./main.ts").catch((error: unknown) => {
  host.textContent = `${texts.page.failed} (${String(error)})`;
});
