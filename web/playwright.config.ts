import { execFileSync } from "node:child_process";
import { defineConfig } from "@playwright/test";

/** The browser of the system: the tests do not download one. */
function browser(): string {
  const names = [process.env.CHROMIUM, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
  for (const name of names.filter((name) => name !== undefined)) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // Try the next name.
    }
  }
  throw new Error("no browser: neither $CHROMIUM nor chromium is installed");
}

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  snapshotPathTemplate: "tests/expected/{arg}{ext}",
  reporter: "line",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Only a hang takes this long. A machine may be slow, or busy with other suites.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  maxFailures: 5,
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    // Recording traces makes the tests much slower. To enable it: `playwright test --trace on`.
    trace: "off",
    // It fetches the whole page for later visits, which takes a quarter of the time of a short test.
    // The tests that need it allow it.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: browser(),
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    },
  },
});
