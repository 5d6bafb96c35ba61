// The page that the benchmark opens: it passes tasks to the worker.

import type { Done, Task } from "./worker.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const heard = () => new Promise<unknown>((resolve, reject) => {
  worker.addEventListener("message", ({ data }) => resolve(data), { once: true });
  worker.addEventListener("error", ({ message }) => reject(new Error(message)), { once: true });
});
const loaded = heard();

async function count(task: Task): Promise<Done> {
  await loaded;
  const done = heard();
  worker.postMessage(task);
  return (await done) as Done;
}

Object.assign(window, { count });
