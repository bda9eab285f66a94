/** Compact updates are expanded as the vectors say, which every client is tested with. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expanded } from "../../src/connection/compact";

interface Kept {
  catalogue: object;
  vectors: { what: string; compact: object; whole: unknown }[];
}

const file = new URL("../../../tests/messages/compact_vectors.json", import.meta.url);
const { catalogue, vectors } = JSON.parse(readFileSync(file, "utf8")) as Kept;

for (const { what, compact, whole } of vectors)
  test(what, () => {
    const told = { ...compact, catalogue };
    const known = structuredClone(told);
    expect(expanded(told)).toStrictEqual(whole);
    expect(JSON.stringify(expanded(told))).toBe(JSON.stringify(whole));
    expect(told).toStrictEqual(known);
  });

test("an update that does not fit its catalogue is an error, after which the stream begins anew", () => {
  const wishes = { lines: [0], fates: [[9, 1]], legal: [] };
  for (const told of [{ happened: [["sang"]] }, { happened: [], view: {}, wishes }])
    expect(() => expanded({ ...told, catalogue })).toThrow("does not fit");
});

test("what has no catalogue is left as it is", () => {
  const told = { seq: 1, happened: [["won", 1]] };
  expect(expanded(told)).toBe(told);
});
