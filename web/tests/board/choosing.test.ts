/** Putting a choice together: either half first, at once or with a look, and why not. */

import { describe, expect, test } from "vitest";
import { choose, NOTHING, type Chosen, type Intent } from "../../src/board/choosing";
import { declining, position, type PositionName } from "./around";

const press = (place: number): Intent => ({ kind: "place", place, manner: "at_once" });
const tap = (place: number): Intent => ({ kind: "place", place, manner: "look_first" });
const card = (word: string): Intent => ({ kind: "card", card: word });

/** The result of several intents. */
function after(name: PositionName, ...intents: Intent[]) {
  const asked = position(name);
  let chosen: Chosen = NOTHING;
  let outcome = choose(asked, chosen, { kind: "clear" });
  for (const intent of intents) {
    outcome = choose(asked, chosen, intent);
    chosen = outcome.chosen;
  }
  return outcome;
}

describe("pirate first", () => {
  test("a press on a lit space plays the card that it shows", () => {
    expect(after("tortuga", press(11), press(14)).send).toBe(152 + 11);
  });

  test("a press on the space behind retreats", () => {
    expect(after("tortuga", press(11), press(5)).send).toBe(11);
  });

  test("where cards may be declined it asks: with them, or without", () => {
    const asked = declining(position("tortuga"));
    const { chosen } = choose(asked, NOTHING, press(11));
    const { question } = choose(asked, chosen, press(5));
    expect(question?.choices.map(({ kind, code }) => [kind, code])).toEqual([
      ["retreat", 11],
      ["decline", 277],
    ]);
    expect(choose(asked, chosen, { kind: "retreat" }).send).toBe(11);
  });

  test("a card makes it a preview, and the primary button plays it", () => {
    const preview = after("tortuga", press(11), card("dagger"));
    expect(preview.send).toBeNull();
    expect(preview.chosen).toEqual({ pirate: { crew: 0, place: 11 }, card: "dagger", preview: 87 });
    expect(after("tortuga", press(11), card("dagger"), { kind: "primary" }).send).toBe(87);
  });

  test("another pirate takes over the card", () => {
    const { chosen } = after("tortuga", press(11), card("dagger"), press(16));
    expect(chosen).toEqual({ pirate: { crew: 0, place: 16 }, card: "dagger", preview: 92 });
  });

  test("pressed again it is put down", () => {
    expect(after("tortuga", press(11), press(11)).chosen).toEqual(NOTHING);
  });

  test("a finger looks first and plays with the second tap", () => {
    const look = after("tortuga", tap(11), tap(14));
    expect(look.send).toBeNull();
    expect(look.chosen.preview).toBe(163);
    expect(after("tortuga", tap(11), tap(14), tap(14)).send).toBe(163);
  });
});

describe("card first", () => {
  test("a pirate then plays it at once", () => {
    expect(after("tortuga", card("dagger"), press(16)).send).toBe(92);
  });

  test("so does the goal of the only pirate that gets there", () => {
    expect(after("tortuga", card("pistol"), press(13)).send).toBe(190 + 11);
  });

  test("several pirates for one goal are asked about", () => {
    expect(after("tortuga", card("dagger"), press(31)).vain).toBe("ambiguous");
  });

  test("chosen again it is put back", () => {
    expect(after("tortuga", card("dagger"), card("dagger")).chosen).toEqual(NOTHING);
  });

  test("at the start of a game there is only one way to use it", () => {
    const { wishes } = position("start");
    const [only] = wishes.legal.filter(({ kind }) => kind === "play");
    const { chosen } = after("start", card(only?.card ?? ""));
    expect(chosen).toEqual({ pirate: null, card: only?.card, preview: only?.code });
    expect(after("start", card(only?.card ?? ""), tap(0)).send).toBe(only?.code);
  });
});

describe("why not", () => {
  test("a space whose card is not held", () => {
    const { refusal } = after("tortuga", press(11), press(12));
    expect(refusal).toMatchObject({ code: "card_not_held", rule: "R3.1" });
  });

  test("a space that the card does not lead to tells where it leads", () => {
    expect(after("tortuga", press(11), press(30)).elsewhere?.target).toBe(14);
  });

  test("no retreat from the start", () => {
    const { refusal } = after("tortuga", press(0), { kind: "retreat" });
    expect(refusal?.code).toBe("no_retreat_from_start");
  });

  test("a card that is not held, chosen alone", () => {
    const { refusal, chosen } = after("tortuga", card("hat"));
    expect(refusal).toMatchObject({ code: "card_not_held", card: "hat" });
    expect(chosen).toEqual(NOTHING);
  });

  test("a place to which the card leads nobody leaves the card chosen", () => {
    const { chosen, vain } = after("tortuga", card("dagger"), press(33));
    expect([chosen.card, vain]).toEqual(["dagger", "card"]);
  });

  test("a place without an own pirate, and one with others only", () => {
    const { view, you } = position("tortuga");
    const standing = (mine: boolean): number[] =>
      view.pirates.flatMap((places, crew) => ((crew === you) === mine ? places : []));
    const others = standing(false).find((place) => !standing(true).includes(place)) ?? -1;
    expect(after("tortuga", press(33)).vain).toBe("nobody");
    expect(after("tortuga", press(others)).vain).toBe("others");
    // A chosen card changes nothing about whose pirate that is.
    const { vain, whose } = after("tortuga", card("dagger"), press(others));
    expect([vain, whose]).toEqual([
      "others",
      view.pirates.flatMap((at, crew) => (at.includes(others) ? crew : [])),
    ]);
  });

  test("the primary button and a retreat with nothing chosen", () => {
    expect(after("tortuga", { kind: "primary" }).vain).toBe("incomplete");
    expect(after("tortuga", { kind: "retreat" }).vain).toBe("no_pirate");
  });
});

describe("Jamaica", () => {
  test("a retreat onto an own pirate is shown first, because a draw cannot be taken back", () => {
    const asked = position("jamaica");
    const [own = [], ...others] = asked.view.pirates;
    const crowded = { ...asked, view: { ...asked.view, pirates: [[...own.slice(1), 3], ...others] } };
    const { chosen } = choose(crowded, NOTHING, press(12));
    const look = choose(crowded, chosen, press(3));
    expect(look.send).toBeNull();
    expect(look.chosen.preview).toBe(12);
    expect(choose(crowded, look.chosen, press(3)).send).toBe(12);
    expect(after("jamaica", press(12), press(3)).send).toBe(12);
  });
});

describe("the Nest", () => {
  test("a rival is pushed by its own place and its goal", () => {
    const chosen = after("nest", press(24));
    expect(chosen.chosen).toEqual({ pirate: { crew: 1, place: 24 }, card: null, preview: 632 });
    expect(after("nest", press(24), press(28)).send).toBe(632);
  });

  test("several crews on a space are asked about", () => {
    expect(after("nest", press(11)).question).toMatchObject({ place: 11, crews: [1, 2] });
    const pushed = after("nest", press(11), { kind: "pirate", pirate: { crew: 2, place: 11 } });
    expect(pushed.chosen.preview).toBe(657);
  });

  test("a chosen card means the own pirate among them", () => {
    expect(after("nest", card("cannon"), press(7)).send).toBe(45);
  });

  test("the sloop with a plain and a gold card asks which, most held first", () => {
    const { question } = after("nest", { kind: "pirate", pirate: { crew: 0, place: 7 } }, press(15));
    expect(question?.choices.map((choice) => choice.card)).toEqual(["chest", "gold_chest"]);
  });

  test("a card to trim is shown, then given by the primary button; the board is not asked", () => {
    const { wishes } = position("trim");
    const word = wishes.legal[0]?.card ?? "";
    expect(after("trim", card(word)).chosen.preview).toBe(wishes.legal[0]?.code);
    expect(after("trim", card(word), { kind: "primary" }).send).toBe(wishes.legal[0]?.code);
    expect(after("trim", press(0))).toMatchObject({ chosen: NOTHING, vain: "incomplete" });
  });
});

describe("home", () => {
  test("a pirate that is home can be fetched back", () => {
    expect(after("home", press(37)).chosen.pirate).toEqual({ crew: 0, place: 37 });
    expect(after("home", press(37), { kind: "retreat" }).send).toBe(37);
  });
  test("a lit sloop is boarded", () => {
    expect(after("home", press(12), press(37)).send).toBe(228 + 12);
  });
});
