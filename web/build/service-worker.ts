import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { Plugin } from "vite";

/** The worker's file has the same name in every build, so that browsers check it for changes. */
const worker = "sw.js";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data);

/** Builds `src/sw.ts`, and writes the files of the build with their hashes into it. */
export function serviceWorker(): Plugin {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    config: () => ({
      build: {
        rolldownOptions: {
          input: { index: "index.html", sw: "src/sw.ts" },
          output: {
            entryFileNames: (chunk) =>
              chunk.name === "sw" ? worker : "assets/[name]-[hash].js",
          },
        },
      },
    }),
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle(error) {
      if (error) return;
      await listFiles(folder);
    },
  };
}

/** Writes the files of a build into its worker. */
export async function listFiles(folder: string): Promise<void> {
  const files: [string, string][] = [];
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of all.filter((entry) => entry.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    if (name === worker) continue;
    const hash = sha256(await readFile(path)).digest("base64");
    // Some hosts redirect from `index.html` to the folder; no host does the reverse.
    files.push([name === "index.html" ? "./" : name, `sha256-${hash}`]);
  }
  files.sort(([a], [b]) => (a < b ? -1 : 1));
  const path = join(folder, worker);
  const source = await readFile(path, "utf8");
  // The name also depends on the worker's own code: a different worker fills a different cache and
  // leaves the one in use alone.
  const name = sha256(JSON.stringify([source, files])).digest("hex").slice(0, 16);
  if (!source.includes("__BUILD__")) throw new Error(`${path} has no __BUILD__`);
  const build = JSON.stringify({ name, files });
  await writeFile(path, source.replaceAll("__BUILD__", () => build));
}
