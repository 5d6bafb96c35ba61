// Checks that every example of the README and of the page for users of chess.js runs and prints what its comments say.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";

const folder = new URL("..", import.meta.url);
const readme = ["README.md", "chess-js.md"].map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

test("the README has examples", () => assert.ok(examples.length >= 6));

for (const [index, code] of examples.entries()) {
  test(`example ${index + 1}`, () => {
    const printed = execFileSync(process.execPath, ["--input-type=module"], { cwd: folder, input: code, encoding: "utf8" });
    const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    assert.deepEqual(printed.trimEnd().split("\n"), promised);
  });
}
