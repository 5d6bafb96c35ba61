// The part of the library with which the page starts: everything but counting and comparing, which
// panels and workers load from the package `tabiya` when they need it.

import init from "../pkg/tabiya.js";

await init();

export * from "../pkg/tabiya.js";
