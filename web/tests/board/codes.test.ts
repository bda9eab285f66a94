/** The codes of actions, against the wish tables of the service. */

import { expect, test } from "vitest";
import type { Legal } from "../../src/api/messages";
import {
  CAPTAIN_SAIL,
  END_TURN,
  playCode,
  pushCode,
  retreatCode,
  SAIL,
  trimCode,
} from "../../src/board/codes";
import { familyOf, type Family } from "../../src/board/places";
import { position } from "./around";

function codeOf(family: Family, { kind, card, crew, place }: Legal): number | null {
  const [word, where] = [card ?? "", place ?? 0];
  const codes: Record<Legal["kind"], () => number | null> = {
    play: () => playCode(family, word, where),
    push: () => pushCode(crew ?? 0, where),
    retreat: () => retreatCode(where),
    decline: () => 266 + where,
    trim: () => trimCode(word),
    end_turn: () => END_TURN,
    sail: () => SAIL,
    captain_sail: () => CAPTAIN_SAIL,
  };
  return codes[kind]();
}

test.each(["tortuga", "jamaica", "nest", "trim", "home"] as const)(
  "codes of %s are the service's",
  (name) => {
    const { view, wishes } = position(name);
    for (const choice of wishes.legal) expect(codeOf(familyOf(view), choice)).toBe(choice.code);
  },
);

test("a gold card stands behind all plain ones", () => {
  expect(playCode("nest", "gold_chest", 7)).toBe(349);
  expect(trimCode("gold_compass")).toBe(12);
});
