import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

export interface Server {
  /** The address of the page, with the slash at its end. */
  readonly address: string;
  /** The folder whose files are served. It may change. */
  folder: string;
  stop(): Promise<void>;
}

/** A plain static host: it serves the files of a folder under a path. */
export async function serve(folder: string, path = "/", port = 0): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
    const file = normalize(join(result.folder, name.slice(path.length)));
    try {
      if (!name.startsWith(path) || !file.startsWith(result.folder)) throw new Error(name);
      const body = await readFile(file);
      const type = types[extname(file)] ?? "application/octet-stream";
      // Like many hosts, this lets browsers keep everything for an hour.
      response.writeHead(200, { "content-type": type, "cache-control": "max-age=3600" });
      response.end(body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const stop = () => new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  const result: Server = { address, folder: normalize(folder), stop };
  return result;
}
