// Loads the WebAssembly module before the code that imports this package runs.
import init from "./pkg/tabiya.js";

await init();

export * from "./pkg/tabiya.js";
