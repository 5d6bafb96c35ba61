// The part of the library that the page starts with: everything except counting and comparing.
// Panels and workers load those from the package `tabiya` when they need them.

import loading from "../pkg/tabiya.js";

await loading.load();

export * from "../pkg/tabiya.js";
