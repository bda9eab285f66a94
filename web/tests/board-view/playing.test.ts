/** A choice on its way: it stays on the screen until there is an answer. */

import { expect, test, vi } from "vitest";
import { Playing } from "../../src/board-view/playing.svelte";
import { NAMES, position } from "../board/around";

// The settings query the browser's preferences as soon as they are imported.
vi.hoisted(() => vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined })));

/** A player at a table that answers on demand, and the codes that were sent. */
function playing(isAnswering: boolean) {
  const given = { ...position("tortuga"), names: NAMES, isPending: false, isWaiting: false };
  const sent: number[] = [];
  const send = (code: number): void => {
    sent.push(code);
    given.isPending = !isAnswering;
  };
  const player = new Playing(() => ({ ...given, happened: [], send }));
  player.renewFor(given.wishes);
  player.onPlace(11, "mouse");
  player.onPlace(14, "mouse");
  return { player, given, sent };
}

test("what is on its way stays chosen, and nothing else can be sent", () => {
  const { player, sent } = playing(false);
  player.onPlace(14, "mouse");
  player.onEnd();
  expect([sent, player.chosen.pirate]).toEqual([[152 + 11], { crew: 0, place: 11 }]);
});

test("the answer begins a new choice", () => {
  const { player, given } = playing(false);
  player.renewFor({ ...given.wishes });
  expect(player.chosen.pirate).toBeNull();
});

test("what was refused can be sent again", () => {
  const { player, given, sent } = playing(false);
  given.isPending = false;
  player.onPlace(14, "mouse");
  expect(sent).toEqual([152 + 11, 152 + 11]);
});

test("where nothing has to be waited for, the choice is over at once", () => {
  expect(playing(true).player.chosen.pirate).toBeNull();
});

test("a press while somebody else is to choose is answered, until the view changes", () => {
  const { view } = position("tortuga");
  const given = { view, wishes: null, you: 0, names: NAMES, isPending: false, isWaiting: true, happened: [] };
  const player = new Playing(() => ({ ...given, send: () => undefined }));
  player.renewFor(view);
  player.onPlace(11, "mouse");
  expect(player.notice?.text).toBe("It is not your turn.");
  player.renewFor({ ...view });
  expect(player.notice).toBeNull();
});
