// The repository has a single copy of the licences. A package needs its own copies.
import { copyFile, rm } from "node:fs/promises";

for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  const copy = new URL(`../${name}`, import.meta.url);
  if (process.argv[2] === "copy") await copyFile(new URL(`../../../${name}`, import.meta.url), copy);
  else await rm(copy, { force: true });
}
