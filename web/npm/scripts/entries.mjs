// Writes the entries of the package into `pkg`. Each exports the public names of a module, of which
// some are the explorer's own, and loads the module: in Node from its file, elsewhere by `fetch`.
//
// The entries in `sync` embed the module, for programs that can't wait at all.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** For each entry the module, and the names of its values and types. */
const ENTRIES = {
  index: ["tabiya", "Editor Game GameTree Position explain squareColor standardPositions", "Answer BoardMove CastlingLetter Color Ending GameErrors GameEval GameMark GameMove GameNode GameProblem GameRemarks GameTag InputError Kind LegalMove MoveFilter MoveLike MoveSquares NamedPosition PgnOptions Piece Placed PositionLike ReadOptions Reason Role Square"],
  perft: ["tools", "Counter categories divide perft perftCategories", "CategoryCount DividedMove PerftCategory PositionLike"],
  layers: ["tools", "layer layerKinds svg", "LayerInfo PositionLike SvgOptions"],
  compare: ["tools", "compareDivide", "AboveCount ComparedMove Comparison Diagnosis DivideQuestion Remark RightCount RightCounts"],
  methods: ["tools", "calculate calculatorFunctions methodKinds methodSteps", "CalculatedStep FunctionInfo MethodInfo MethodSet MethodStep MethodTrace NamedSets"],
  tables: ["tools", "Tables", "FiftyMoves RankedMove Wdl"],
};

const node = (module) => `// \`require\` refuses a module that waits, so the file is read synchronously.
import { readFileSync } from "node:fs";

import loading from "../${module}.js";

loading.loadSync(readFileSync(new URL("../${module}_bg.wasm", import.meta.url)));
`;
// The address isn't in the script itself, because bundlers would then copy the file for the entries in
// `sync` as well, and complain about it in formats without `import.meta`.
const address = (module) => `export default new URL("${module}_bg.wasm", import.meta.url);
`;
const browser = (module) => `import address from "../${module}-address.js";
import loading from "../${module}.js";

await loading.load(address);
`;
const sync = (module) => {
  const bytes = readFileSync(new URL(`../pkg/${module}_bg.wasm`, import.meta.url));
  return `import loading from "../${module}.js";

const bytes = atob("${bytes.toString("base64")}");
loading.loadSync(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
`;
};
const list = (names) => names.split(" ").join(", ");
const write = (name, text) => writeFileSync(new URL(`../pkg/${name}`, import.meta.url), text);

for (const module of ["tabiya", "chess", "tools"]) {
  write(`${module}-address.js`, address(module));
  write(`${module}-address.d.ts`, "declare const address: URL;\nexport default address;\n");
}
for (const [place, load] of Object.entries({ node, browser, sync })) {
  const modules = ["tabiya", "chess", ...(place === "sync" ? [] : ["tools"])];
  mkdirSync(new URL(`../pkg/${place}`, import.meta.url));
  for (const module of modules) write(`${place}/load-${module}.js`, load(module));
  write(`${place}/chess.js`, 'import "./load-chess.js";\n\nexport * from "../../chess.js";\n');
  for (const [entry, [module, values]] of Object.entries(ENTRIES)) {
    if (!modules.includes(module)) continue;
    write(`${place}/${entry}.js`, `import "./load-${module}.js";\n\nexport { ${list(values)} } from "../${module}.js";\n`);
  }
}
for (const [entry, [module, values, types]] of Object.entries(ENTRIES)) {
  write(`${entry}.d.ts`, `export { ${list(`${values} ${types}`)} } from "./${module}.js";\n`);
}
