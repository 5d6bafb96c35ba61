// The code on the page of boards is that of the examples, which are tested in a browser. `TABIYA_WRITE_DOCS=1` writes it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../boards.md", import.meta.url);

test("the code is that of the examples", () => {
  const text = readFileSync(page, "utf8");
  let blocks = 0;
  // A link to a file, and later its text.
  const written = text.replace(/(\]\((\.\.\/examples\/[^)]+\.(\w+))\)[^`#]*:\n\n```)\w+\n.*?```/gs, (_, before, file, language) => {
    blocks++;
    return `${before}${language}\n${readFileSync(new URL(file, page), "utf8")}\`\`\``;
  });
  assert.equal(blocks, text.match(/^```\w/gm).length, "every block belongs to a file");
  if (process.env.TABIYA_WRITE_DOCS === "1") writeFileSync(page, written);
  else assert.equal(text, written);
});
