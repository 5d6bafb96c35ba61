// Loads the WebAssembly module before the code that imports this package runs.
import loading from "./pkg/tabiya.js";

await loading.load();

export * from "./pkg/tabiya.js";
