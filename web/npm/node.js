// Node reads the WebAssembly module from the package's folder, at once: `require` of a module that
// waits is refused.
import { readFileSync } from "node:fs";

import { initSync } from "./pkg/tabiya.js";

initSync({ module: readFileSync(new URL("pkg/tabiya_bg.wasm", import.meta.url)) });

export * from "./pkg/tabiya.js";
