// The package's module of games.

import address from "../../npm/pkg/tabiya-address.js";
import loading from "../../npm/pkg/tabiya.js";

await loading.load(address);

export * from "../../npm/pkg/tabiya.js";
