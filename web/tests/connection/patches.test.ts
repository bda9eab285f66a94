/** Patches are applied as the vectors say, which every client is tested with. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { patched, type Edit } from "../../src/connection/patches";

interface Vector {
  what: string;
  before: unknown;
  edit: Edit;
  after: unknown;
}

const file = new URL("../../../tests/messages/patch_vectors.json", import.meta.url);
const VECTORS = JSON.parse(readFileSync(file, "utf8")) as Vector[];

for (const { what, before, edit, after } of VECTORS)
  test(what, () => {
    const known = structuredClone(before);
    expect(patched(before, edit)).toStrictEqual(after);
    expect(before).toStrictEqual(known);
  });

test("a splice that does not fit is an error, after which the stream begins anew", () => {
  expect(() => patched(["a"], [1, 1, []])).toThrow("does not fit");
  expect(() => patched({ row: "ab" }, { row: [3, 0, "c"] })).toThrow("does not fit");
});
