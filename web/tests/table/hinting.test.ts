/** A hint: told when it comes, in words for every kind of choice, and forgotten when the table moves on. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Hint, Legal } from "../../src/api/messages";
import { closeToast, said } from "../../src/shell/announce.svelte";
import { Hinting } from "../../src/table/playing/hinting.svelte";
import { hintText } from "../../src/table/playing/hintText";
import { position, tellerOf } from "../board/around";

let answered: Hint;

beforeEach(() => {
  said.self = "";
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify(answered), { headers: { "Content-Type": "application/json" } }),
    ),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  said.toasts.forEach(({ id }) => closeToast(id));
});

/** A player to act at a table of Tortuga, at seq 7. */
function asking(): { live: ConstructorParameters<typeof Hinting>[0]; hinting: Hinting } {
  const { view, wishes } = position("tortuga");
  const live = { id: "t", seat: 0, seq: 7, view, wishes };
  return { live, hinting: new Hinting(live) };
}

function ready(code: number): Hint {
  const best = { codes: [code], actions: [], chances: [0.614, 0.2, 0.1, 0.086] };
  return { id: "h", seat: 0, seq: 7, state: "ready", found: { best, others: [] } } as unknown as Hint;
}

describe("a hint", () => {
  test("is said when it comes, as it is shown", async () => {
    const { hinting } = asking();
    answered = ready(87);
    await hinting.ask();
    const sentence = "Play the dagger: from 11 to 31. Your chance to win is then about 61%.";
    expect([hinting.sentence, said.self]).toEqual([sentence, sentence]);
  });

  test("is forgotten when the table has moved on", async () => {
    const { live, hinting } = asking();
    answered = ready(87);
    await hinting.ask();
    Object.assign(live, { seq: 8 });
    expect(hinting.sentence).toBeNull();
  });

  test("that nobody found is told, too", async () => {
    const { hinting } = asking();
    answered = { id: "h", seat: 0, seq: 7, state: "failed", found: null };
    await hinting.ask();
    expect([hinting.sentence, said.self.trim()]).toEqual([null, "There is no hint right now."]);
  });
});

test("a hint names the card, and the way with its prepositions", () => {
  const teller = tellerOf(position("nest"));
  const trim: Legal = { kind: "trim", code: 3, card: "gold_map" };
  const push: Legal = { kind: "push", code: 1, crew: 1, start: 0, target: 15 };
  expect(hintText(teller, trim, 40)).toBe("Discard the gold map. Your chance to win is then about 40%.");
  expect(hintText(teller, push, 40)).toBe(
    "Push the pirate from the landing to the sloop. Your chance to win is then about 40%.",
  );
});
