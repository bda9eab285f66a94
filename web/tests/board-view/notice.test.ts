/** Why a wish was not carried out, in the reader's language at the time of reading. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Wishes } from "../../src/api/messages";
import { choose, NOTHING, type Outcome, type Vain } from "../../src/board/choosing";
import { Teller } from "../../src/board/telling";
import { noticeOf, refusalNotice } from "../../src/board-view/notice";
import { count, language, say, speak } from "../../src/words/words.svelte";
import { NAMES, position, tellerOf } from "../board/around";

beforeEach(() => vi.stubGlobal("document", { documentElement: { lang: "en" } }));
afterEach(async () => {
  await speak("en");
  vi.unstubAllGlobals();
});

test("a notice follows the language", async () => {
  const notice = refusalNotice({ code: "sloop_away", rule: "R10.4" }, tellerOf(position("nest")));
  const english = notice.text;
  await speak("de");
  expect(notice.text).not.toBe(english);
  expect(notice.text).toContain("Insel");
  expect(notice.rule).toBe("R10.4");
});

/** What is said when a pirate is chosen and then a space is pressed to which it has no card. */
function pressedInVain(): { outcome: Outcome; teller: Teller; wishes: Wishes } {
  const asked = position("tortuga");
  const { chosen } = choose(asked, NOTHING, { kind: "place", place: 11, manner: "at_once" });
  const outcome = choose(asked, chosen, { kind: "place", place: 12, manner: "at_once" });
  const { wishes } = asked;
  return {
    outcome,
    wishes,
    teller: new Teller({ say, count, language }, { names: NAMES, you: 0 }, asked.view),
  };
}

test("a card that is not held is named, with the article of the language", async () => {
  const { outcome, teller, wishes } = pressedInVain();
  const notice = noticeOf(outcome, teller, wishes);
  expect(notice?.text).toMatch(/^You hold no [a-z]+\.$/);
  expect(notice?.rule).toBe("R3.1");
  await speak("de");
  expect(notice?.text).toMatch(/^Du hast keinen? [A-Z][a-zü]+ auf der Hand\.$/);
});

test("a card that is not known is not named", () => {
  const { teller } = pressedInVain();
  const notice = refusalNotice({ code: "card_not_held", rule: "R3.1" }, teller);
  expect(notice.text).toBe("You do not hold that card.");
});

test("every press in vain is answered", () => {
  const { outcome, teller, wishes } = pressedInVain();
  const said = (vain: Vain, chosen = NOTHING): string | undefined =>
    noticeOf({ ...outcome, refusal: null, vain, chosen }, teller, wishes)?.text;
  expect(said("nobody")).toBe("No pirate of yours stands there.");
  expect(said("others")).toBe("You move only your own pirates.");
  const theirs = { ...outcome, refusal: null, vain: "others", whose: [1] } as const;
  expect(noticeOf(theirs, teller, wishes)?.text).toBe(
    `That is ${teller.otherName(1)}'s pirate. You move only your own.`,
  );
  expect(said("card", { ...NOTHING, card: "hat" })).toBe("Hat: no pirate of yours gets there.");
  expect(said("pirate")).toBe("This pirate cannot go there now.");
  expect(said("incomplete")).toBe("Choose a pirate or a card.");
});
