// The part of the library that the page starts with: boards, layers and explanations. Panels and
// workers import the package's modules when they need them.

import loading from "../pkg/tabiya.js";

import { download } from "./download.ts";

await loading.load(download);

export * from "../pkg/tabiya.js";
