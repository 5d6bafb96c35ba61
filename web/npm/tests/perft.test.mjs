import assert from "node:assert/strict";
import test from "node:test";

import { standardPositions, view } from "tabiya";

test("the standard positions can be read", () => {
  const positions = standardPositions();
  assert.equal(positions.length, 6);
  assert.equal(view(positions[0].fen, "").moves.length, 20);
});
