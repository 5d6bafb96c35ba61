/**
 * The service worker: keeps the files of a build, so that the page works offline after one visit.
 *
 * Builds are never mixed. A build is kept completely or not at all: each file must have the hash
 * that it had when it was built. The next visit shows the new build, with its own files. A page
 * that is still open continues with the files of the old build.
 */
export {};

declare const self: ServiceWorkerGlobalScope;

/** The files of this build with their hashes. The build replaces this constant. */
declare const __BUILD__: { name: string; files: [path: string, integrity: string][] };

/** The number of older builds that are kept, for pages that are still open. */
const older = 2;

const build = __BUILD__;
const scope = new URL(self.registration.scope);
// Several pages may share an origin, so the names of a page's caches begin with its folder.
const family = `tabiya ${scope.pathname} `;
const own = family + build.name;

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forget(), self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.href)) {
    event.respondWith(answer(request));
  }
});

/** Fetches every file. If one of them fails, the installation fails, and nothing changes. */
async function keep(): Promise<void> {
  await caches.delete(own);
  const cache = await caches.open(own);
  // The browser's own cache is bypassed, because it may hold an older file of the same name.
  const request = ([path, integrity]: [string, string]) =>
    new Request(path, { cache: "reload", integrity });
  try {
    await cache.addAll(build.files.map(request));
  } catch (error) {
    await caches.delete(own);
    throw error;
  }
}

async function forget(): Promise<void> {
  const others = (await kept()).filter((name) => name !== own);
  await Promise.all(others.slice(older).map((name) => caches.delete(name)));
}

/** The caches of this page, the newest first. */
async function kept(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(family)).reverse();
}

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const rest = url.href.slice(scope.href.length).replace(/[?#].*$/, "");
  const path = rest === "" || rest === "index.html" ? "./" : rest;
  try {
    for (const name of [own, ...(await kept())]) {
      const found = await caches.match(path, { cacheName: name });
      if (found) return found;
    }
  } catch {
    // A browser may refuse its storage. The network may still work.
  }
  return fetch(request);
}
