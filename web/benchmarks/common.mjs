// What the benchmarks share.

import { execFileSync } from "node:child_process";

/** The browser of the system. */
export function browserPath() {
  for (const name of [process.env["CHROMIUM"], "chromium", "chromium-browser", "google-chrome"]) {
    if (!name) continue;
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // Try the next name.
    }
  }
  throw new Error("no browser: neither $CHROMIUM nor chromium is installed");
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
