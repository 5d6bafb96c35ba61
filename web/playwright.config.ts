import { defineConfig } from "@playwright/test";
export default defineConfig({
  testDir: "tests",
  workers: 1,
  use: { baseURL: "http://localhost:4179/", launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] } },
  webServer: { command: "node_modules/.bin/vite preview --port 4179 --strictPort", port: 4179, reuseExistingServer: true },
});
