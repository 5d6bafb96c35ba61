import { defineConfig } from "vite";

import { contentSecurityPolicy } from "./build/policy.ts";
import { serviceWorker } from "./build/service-worker.ts";

export default defineConfig({
  // Relative addresses: any static host serves the page from any folder.
  base: "./",
  build: {
    target: "es2023",
    // Everything is a file of this page: the policy allows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  plugins: [contentSecurityPolicy(), serviceWorker()],
});
