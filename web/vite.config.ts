import { defineConfig } from "vite";

export default defineConfig({
  // Any folder of any static host.
  base: "./",
  build: {
    target: "es2023",
    // The module of WebAssembly stays a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
