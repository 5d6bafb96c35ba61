// Starts the page, or shows why it cannot start.

import { read } from "./address.ts";
import "./download.ts";
import { texts } from "./texts.ts";

const host = document.getElementById("page")!;
host.textContent = texts.page.loading;
// The theme is set at once. Otherwise a dark page would begin with a flash of light.
document.documentElement.dataset["theme"] = read(location.hash).theme;

import("./main.ts").catch((error: unknown) => {
  host.textContent = `${texts.page.failed} (${String(error)})`;
});
