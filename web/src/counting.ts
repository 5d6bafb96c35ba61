// The package's larger module: counting, comparing and slider methods.

import address from "../npm/pkg/tools-address.js";
import loading from "../npm/pkg/tools.js";

await loading.load(address);

export * from "../npm/pkg/tools.js";
