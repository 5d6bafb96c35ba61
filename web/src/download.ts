// The WebAssembly module that the page starts with. Its download begins at once, and not when the
// scripts that use it are there.

import address from "../pkg/tabiya_bg.wasm?url";

export const download = fetch(address);

// The library reports a failure when it waits for the module.
download.catch(() => {});
