/** Whose choice a table waits for. */

import { expect, test } from "vitest";
import { awaitedBot } from "../../src/connection/awaited";
import type { Standing } from "../../src/connection/standing";

const CHAIRS = [{ kind: "person" }, { kind: "bot" }, { kind: "person", minder: "bosun" }];

function standing(toAct: number | string | null, stage = "running"): Standing {
  return { table: { stage, chairs: CHAIRS }, view: { to_act: toAct } } as unknown as Standing;
}

test("a table waits for a bot, also for one in the place of a person", () => {
  expect([0, 1, 2].map((seat) => awaitedBot(standing(seat)))).toEqual([null, 1, 2]);
});

test("nobody waits for a bot before the deal, after the end, or while chance is to act", () => {
  expect(awaitedBot(null)).toBeNull();
  expect(awaitedBot({ ...standing(1), view: null })).toBeNull();
  expect(awaitedBot(standing(1, "over"))).toBeNull();
  expect(awaitedBot(standing("chance"))).toBeNull();
});
