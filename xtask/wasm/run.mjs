// Runs a test program that was built for `wasm32-wasip1`, with its arguments.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith("TABIYA_")),
);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
