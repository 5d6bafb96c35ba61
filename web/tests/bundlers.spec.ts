// The npm package in a page, as each bundler packs it, with what its README says to do.

import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { rollup } from "rollup";
import webpack from "webpack";

import { expect, test } from "./harness.ts";
import { serve } from "./server.ts";

const entry = fileURLToPath(new URL("bundled/main.js", import.meta.url));
const npm = fileURLToPath(new URL("../npm/", import.meta.url));
const copyModule = (folder: string) => copyFile(join(npm, "pkg/tools_bg.wasm"), join(folder, "tools_bg.wasm"));

/** Each bundler packs the program into `main.js` in a folder. */
const BUNDLERS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  async esbuild(folder) {
    await build({ entryPoints: [entry], bundle: true, format: "esm", outdir: folder, logLevel: "silent" });
    await copyModule(folder);
  },
  async rollup(folder) {
    // Rollup leaves the names of packages to a plugin.
    const packages = { name: "packages", resolveId: (name: string) => (name === "tabiya/perft" ? join(npm, "pkg/browser/perft.js") : null) };
    const bundle = await rollup({ input: entry, plugins: [packages] });
    await bundle.write({ file: join(folder, "main.js"), format: "es" });
    await copyModule(folder);
  },
  webpack: (folder) =>
    new Promise<void>((resolve, reject) => {
      webpack({ entry, mode: "production", output: { path: folder, filename: "main.js" }, performance: false }, (error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats!.toString("errors-only")));
        else resolve();
      });
    }),
};

for (const [name, pack] of Object.entries(BUNDLERS)) {
  test(`a page that ${name} packs counts`, async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), `tabiya-${name}-`));
    await pack(folder);
    await writeFile(join(folder, "index.html"), '<!doctype html><link rel="icon" href="data:," /><body><script type="module" src="main.js"></script></body>');
    const server = await serve(folder);
    await page.goto(server.address);
    await expect(page.locator("body")).toHaveText("8902");
    await server.stop();
    await rm(folder, { recursive: true });
  });
}

test("a script that waits for nothing has the module inside", async ({ page }) => {
  const contents = 'import { Chess } from "tabiya/chess.js/sync"; document.body.append(new Chess().move("Nf3").lan);';
  const packed = await build({ stdin: { contents, resolveDir: npm }, bundle: true, format: "iife", write: false, logLevel: "silent" });
  await page.setContent("<!doctype html><body></body>");
  await page.addScriptTag({ content: packed.outputFiles[0]!.text });
  await expect(page.locator("body")).toContainText("g1f3");
});
