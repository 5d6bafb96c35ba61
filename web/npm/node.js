// Node reads the WebAssembly module from the package's folder.
import { readFile } from "node:fs/promises";

import { initSync } from "./pkg/tabiya.js";

initSync({ module: await readFile(new URL("pkg/tabiya_bg.wasm", import.meta.url)) });

export * from "./pkg/tabiya.js";
