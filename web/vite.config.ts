import { defineConfig } from "vite";

import { contentSecurityPolicy } from "./build/policy.ts";
import { serviceWorker } from "./build/service-worker.ts";

export default defineConfig({
  // Relative addresses let any static host serve the page from any folder.
  base: "./",
  // The way to the start page of a site, if the page is a part of one.
  define: { __SITE__: JSON.stringify(process.env["TABIYA_SITE"] ?? "") },
  build: {
    target: "es2023",
    // Every asset is a file of this page, because the policy does not allow `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What panels share with the page stays in two files: each small one would be a request
        // before the first board, and compresses worse.
        codeSplitting: {
          groups: [
            { name: "base", test: /\/src\/(address|dom|download|numbers|squares|state|texts)\.ts$|preload-helper/ },
            { name: "page", test: /\/src\/(library|page|picture|sentences)\.ts$|\/web\/pkg\// },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
  plugins: [contentSecurityPolicy(), serviceWorker()],
});
