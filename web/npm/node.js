// Reads the WebAssembly module from the package's folder synchronously: `require` refuses a module
// that waits.
import { readFileSync } from "node:fs";

import loading from "./pkg/tabiya.js";

loading.loadSync(readFileSync(new URL("pkg/tabiya_bg.wasm", import.meta.url)));

export * from "./pkg/tabiya.js";
