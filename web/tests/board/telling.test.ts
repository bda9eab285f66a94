/** What is said: names of places, live sentences, the turn box. */

import { describe, expect, test } from "vitest";
import type { Happening, Legal } from "../../src/api/messages";
import { choose, NOTHING, shown, type Asked, type Chosen } from "../../src/board/choosing";
import { CAPTAIN_SAIL } from "../../src/board/codes";
import { DARK, lightOf } from "../../src/board/lighting";
import {
  endTurnWords,
  logLinesOf,
  nameOfPlace,
  primaryWords,
  tellChosen,
  tellDeeds,
  tellHappened,
  tellPreview,
  tellTurn,
  turnWords,
} from "../../src/board/telling";
import { choiceOfKind, legalWith } from "../../src/board/wishing";
import { declining, position, tellerOf, type PositionName } from "./around";

function showing(name: PositionName, code: number): { chosen: Chosen; words: ReturnType<typeof turnWords> } {
  const asked = position(name);
  const choice = legalWith(asked.wishes, code);
  const chosen = choice === null ? NOTHING : shown(choice, 0);
  return {
    chosen,
    words: turnWords(tellerOf(asked), asked.wishes, chosen, { ending: null, winner: null }),
  };
}

describe("names of places", () => {
  const tortuga = position("tortuga");
  const teller = tellerOf(tortuga);

  test("say number, sign and who is there", () => {
    expect(nameOfPlace(teller, 3, DARK)).toBe("Space 3, hat, 3 pirates: 2 of you, Kestrel");
    expect(nameOfPlace(teller, 31, DARK)).toBe("Space 31, dagger, empty");
    expect(nameOfPlace(teller, 0, DARK)).toBe("Fort, start: you, Tobias, 2 of Kestrel");
  });

  test("say what the light means", () => {
    const lit = lightOf(tortuga, showing("tortuga", 87).chosen, null);
    expect(nameOfPlace(teller, 31, lit)).toBe("Space 31, dagger, empty. Destination with this card");
    expect(nameOfPlace(teller, 14, lit)).toBe("Space 14, key, empty. Reachable with key");
    expect(nameOfPlace(teller, 5, lit)).toContain("Leads here, 1 card");
  });

  test("the sloop of the Nest says where it lies", () => {
    const nest = position("nest");
    expect(nameOfPlace(tellerOf(nest), 15, DARK)).toMatch(/^Sloop, at the small island: /);
  });
});

describe("live sentences", () => {
  const tortuga = position("tortuga");
  const teller = tellerOf(tortuga);

  test("the turn begins", () => {
    expect(tellTurn(tellerOf(position("start")))).toBe("Your turn. 3 actions. You hold 6 cards.");
  });

  test("a chosen pirate: everywhere it can go", () => {
    const { chosen } = choose(tortuga, NOTHING, { kind: "place", place: 11, manner: "at_once" });
    expect(tellChosen(teller, tortuga.wishes, chosen)).toBe(
      "Space 11. Dagger 31, key 14, pistol 13, skull 17. Retreat to 5, 1 card.",
    );
  });

  test("one's own deeds in full, with what is left", () => {
    expect(
      tellHappened(teller, [
        { happening: "played", seat: 0, card: "dagger" },
        { happening: "moved", seat: 0, crew: 0, start: 9, target: 23 },
      ]),
    ).toEqual(["Dagger played, from 9 to 23.", "2 actions left."]);
  });

  test("a retreat names the cards that could be seen", () => {
    const drew = { happening: "drew" as const, seat: 0, from_row: true, turned_over: false };
    expect(
      tellHappened(teller, [
        { happening: "moved", seat: 0, crew: 0, start: 9, target: 7 },
        { ...drew, card: "key" },
        { ...drew, card: "dagger" },
      ])[0],
    ).toBe("Back from 9 to 7. Took key and dagger.");
  });

  test("who is pushed is told as the one to whom it is done", () => {
    const nest = position("nest");
    const moved = { happening: "moved" as const, seat: 1, crew: 0, start: 0, target: 3 };
    expect(tellHappened(tellerOf(nest), [moved])[0]).toBe("Tobias pushed you from the landing to 3.");
  });

  test("those of others short, by name", () => {
    expect(
      tellHappened(teller, [
        { happening: "played", seat: 1, card: "key" },
        { happening: "moved", seat: 1, crew: 1, start: 13, target: 24 },
      ]),
    ).toEqual(["Tobias: key, from 13 to 24."]);
  });

  test("the sloop, a freebooter, the end", () => {
    const nest = tellerOf(position("nest"));
    expect(tellHappened(nest, [{ happening: "sailed", seat: 1, dock: 2, free: false }])[0]).toBe(
      "The sloop is now at the large island. Aboard: 1 of you, 2 of Ines, 1 of Kestrel.",
    );
    expect(
      tellHappened(nest, [
        { happening: "played", seat: 3, card: "gold_map" },
        { happening: "trim_due", surplus: [0, 0, 2, 0] },
      ])[0],
    ).toBe("Kestrel played a freebooter. Ines: 2 cards to discard.");
    expect(tellHappened(nest, [{ happening: "won", seat: 1 }])[0]).toMatch(
      /^Tobias has all six pirates in the nest and wins/,
    );
  });
});

describe("the turn box", () => {
  test("says exactly what the primary button will do", () => {
    const tortuga = position("tortuga");
    expect(showing("tortuga", 87).words).toEqual({
      title: "Your turn",
      left: "2 of 3 actions left.",
      sentence: "Play the dagger: from 11 to 31, skipping 15, 24, 27.",
    });
    expect(primaryWords(tellerOf(tortuga), legalWith(tortuga.wishes, 87))).toBe("Move to 31");
    expect(primaryWords(tellerOf(tortuga), legalWith(tortuga.wishes, 11))).toBe("Back to 5, +1");
  });

  test("warns before a draw that cannot be taken back", () => {
    expect(showing("nest", 632).words.sentence).toBe(
      "Push Tobias's pirate from 23 to 27, take 1 card. No undo after a draw.",
    );
    expect(showing("nest", 349).words.sentence).toContain("No undo after this.");
  });

  test("names unused actions on the button that ends the turn", () => {
    const tortuga = position("tortuga");
    expect(endTurnWords(tellerOf(tortuga), tortuga.wishes)).toBe("End turn, 2 unused");
  });

  test("waits, trims and ends in words", () => {
    const { view, wishes } = position("tortuga");
    const over = { ending: null, winner: null };
    const theirs = tellerOf({ view: { ...view, to_act: 2, turn_seat: 2 }, wishes, you: 0 });
    expect(turnWords(theirs, null, NOTHING, over).title).toBe("Ines is moving");
    const trim = position("trim");
    expect(turnWords(tellerOf(trim), trim.wishes, NOTHING, over).sentence).toBe(
      "A freebooter was played. Choose 1 card to discard.",
    );
    expect(turnWords(theirs, null, NOTHING, { ending: "won", winner: 0 }).sentence).toBe("You won.");
  });
});

describe("a retreat may decline its cards", () => {
  test("its words say so, and the light of the retreat stays", () => {
    const asked = declining(position("tortuga"));
    const teller = tellerOf(asked);
    const choice = choiceOfKind(asked.wishes, "decline");
    const retreat = choiceOfKind(asked.wishes, "retreat");
    if (choice === null || retreat === null) throw new Error("nobody can retreat here");
    expect(tellPreview(teller, choice)).toMatch(/take no card\.$/);
    const lit = lightOf(asked, shown(retreat, 0), null);
    expect(lit).toEqual(lightOf(position("tortuga"), shown(retreat, 0), null));
  });
});

describe("a captain that can only cross", () => {
  test("is told so, and not to choose a pirate", () => {
    const nest = position("nest");
    const free: Legal = { code: CAPTAIN_SAIL, kind: "captain_sail", dock: 2 };
    const legal: Legal[] = [{ code: 0, kind: "end_turn" }, free];
    const words = turnWords(tellerOf(nest), { ...nest.wishes, legal }, NOTHING, {
      ending: null,
      winner: null,
    });
    expect(words.sentence).toBe("No action is possible: use your free crossing, or end the turn.");
  });
});

describe("a hint is told whatever it advises", () => {
  const nest = position("nest");
  const free: Legal = { code: CAPTAIN_SAIL, kind: "captain_sail", dock: 2 };
  const withFree = { ...nest, wishes: { ...nest.wishes, legal: [...nest.wishes.legal, free] } };
  const POSITIONS: Record<Legal["kind"], Asked> = {
    play: position("tortuga"),
    retreat: position("tortuga"),
    decline: declining(position("tortuga")),
    push: nest,
    trim: position("trim"),
    sail: nest,
    captain_sail: withFree,
    end_turn: position("tortuga"),
  };
  const told = (kind: Legal["kind"]): { sentence: string; button: string | null; heard: string } => {
    const asked = POSITIONS[kind];
    const teller = tellerOf(asked);
    const choice = choiceOfKind(asked.wishes, kind);
    if (choice === null) throw new Error(`nobody can ${kind} here`);
    const words = turnWords(teller, asked.wishes, shown(choice, 0), { ending: null, winner: null });
    return {
      sentence: words.sentence,
      button: primaryWords(teller, choice),
      heard: tellPreview(teller, choice),
    };
  };

  // An object has exactly the keys that it was written with.
  test.each(Object.keys(POSITIONS) as Legal["kind"][])("%s has a sentence and a button", (kind) => {
    const { sentence, button, heard } = told(kind);
    expect([sentence, button, heard].every((words) => words !== null && words !== "")).toBe(true);
  });

  test("to sail, to cross for free, to end the turn", () => {
    expect(told("sail")).toEqual({
      sentence: "Sail the sloop to the large island.",
      button: "Sail the sloop",
      heard: "Sail the sloop to the large island.",
    });
    expect(told("captain_sail").sentence).toBe(
      "Use your free crossing: the sloop sails to the large island.",
    );
    expect(told("captain_sail").button).toBe("Cross for free");
    expect(told("end_turn")).toEqual({
      sentence: "End the turn.",
      button: "End turn",
      heard: "End the turn.",
    });
  });
});

describe("what others do", () => {
  const tortuga = tellerOf(position("tortuga"));
  const nest = tellerOf(position("nest"));
  const moved = (seat: number, crew: number): Happening => ({
    happening: "moved",
    seat,
    crew,
    start: 9,
    target: 7,
  });
  const drew = (seat: number): Happening => ({
    happening: "drew",
    seat,
    card: null,
    from_row: false,
    turned_over: false,
  });

  test.each<[Happening[], string]>([
    [
      [
        { happening: "played", seat: 2, card: "dagger" },
        { happening: "moved", seat: 2, crew: 2, start: 9, target: 23 },
      ],
      "Ines plays the dagger: from 9 to 23.",
    ],
    [[moved(2, 2), drew(2)], "Ines goes back from 9 to 7: 1 card."],
    [[moved(2, 1), drew(2), drew(2)], "Ines pushes Tobias from 9 to 7: 2 cards."],
    [[{ happening: "passed", seat: 1, forced: false }], "Tobias passes."],
  ])("is one sentence in the turn box", (happened, sentence) => {
    expect(tellDeeds(tortuga, happened)).toBe(sentence);
  });

  test("is told of the Nest, too", () => {
    expect(tellDeeds(nest, [{ happening: "sailed", seat: 1, dock: 2, free: false }])).toBe(
      "Tobias sails. The sloop is now at the large island.",
    );
    const cards = [
      { seat: 0, card: "map" },
      { seat: 1, card: "map" },
      { seat: 2, card: null },
    ];
    expect(tellDeeds(nest, [{ happening: "trim_shown", cards }])).toBe(
      "Tobias discards: map. Ines discards a card.",
    );
  });

  test("is nothing at the end of a turn, and nothing of the reader's own", () => {
    expect(tellDeeds(tortuga, [{ happening: "turn_ended", seat: 1, next_seat: 2 }])).toBeNull();
    expect(tellDeeds(tortuga, [moved(0, 0), drew(0)])).toBeNull();
  });
});

test("the log tells what was done, not that a turn ended", () => {
  expect(
    logLinesOf([
      { happening: "moved", seat: 1, crew: 2, start: 4, target: 9 },
      { happening: "drew", seat: 1, card: null, from_row: false, turned_over: false },
      { happening: "turn_ended", seat: 1, next_seat: 2 },
    ]),
  ).toEqual([{ kind: "push", seat: 1, crew: 2, from: 4, to: 9, gains: 1, cards: [null] }]);
});
