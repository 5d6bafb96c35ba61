// Takes the pictures of `docs/explorer`: `npm run screenshots`.

import tests from "../playwright.config.ts";

export default { ...tests, testDir: ".", outputDir: "../test-results", workers: 1, fullyParallel: false };
