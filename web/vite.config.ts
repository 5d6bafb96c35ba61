import { defineConfig } from "vite";

import { contentSecurityPolicy } from "./build/policy.ts";
import { serviceWorker } from "./build/service-worker.ts";

export default defineConfig({
  // Relative addresses let any static host serve the page from any folder.
  base: "./",
  build: {
    target: "es2023",
    // Every asset is a file of this page, because the policy does not allow `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  plugins: [contentSecurityPolicy(), serviceWorker()],
});
