// The part of the library that the page starts with: everything except counting and comparing.
// Panels and workers load those from the package `tabiya` when they need them.

import loading from "../pkg/tabiya.js";

import { download } from "./download.ts";

await loading.load(download);

export * from "../pkg/tabiya.js";
