/** Cards in flight: over which boxes of the screen they start and end. */

import { expect, test, vi } from "vitest";
import type { Flight } from "../../src/board/flying";
import { Flying } from "../../src/board-view/flying.svelte";

const FLIGHT: Flight = {
  card: "key",
  from: { at: "hand", seat: 0 },
  to: { at: "discard" },
  beside: 7,
  after: 0,
};

/** A screen on which only these names are visible, each with its box. */
function screen(boxes: Record<string, [number, number, number, number]>): Flying {
  return new Flying((name) => {
    const box = boxes[name];
    if (box === undefined) return null;
    const [left, top, width, height] = box;
    return { left, top, width, height } as DOMRect;
  });
}

test("a card starts over the middle of its stack and ends over the pile, in their sizes", () => {
  const flying = screen({ "hand-0-key": [100, 600, 88, 92], discard: [800, 500, 44, 60] });
  flying.launch([FLIGHT], false);
  expect(flying.cards).toEqual([
    {
      id: 0,
      card: "key",
      from: "translate(122.0px, 616.0px) scale(1.50)",
      to: "translate(800.0px, 500.0px) scale(1.00)",
      after: 0,
      isStill: false,
    },
  ]);
});

test("where no pile is seen it ends at the place of the pirate", () => {
  const flying = screen({ "hand-0": [0, 0, 44, 60], "place-7": [200, 300, 44, 60] });
  flying.launch([FLIGHT], true);
  expect(flying.cards[0]).toMatchObject({ to: "translate(200.0px, 300.0px) scale(1.00)", isStill: true });
});

test("a card that would start nowhere stays on the ground", () => {
  const flying = screen({ discard: [800, 500, 44, 60] });
  flying.launch([FLIGHT], false);
  expect(flying.cards).toEqual([]);
});

test("cards come down one after another, and nothing is left in the air", () => {
  vi.useFakeTimers();
  const flying = screen({ "hand-0": [0, 0, 44, 60], discard: [800, 500, 44, 60] });
  flying.launch([FLIGHT, { ...FLIGHT, after: 110 }], false);
  vi.advanceTimersByTime(240);
  expect(flying.cards).toHaveLength(2);
  vi.advanceTimersByTime(100);
  expect(flying.cards.map(({ id }) => id)).toEqual([1]);
  vi.advanceTimersByTime(110);
  expect(flying.cards).toEqual([]);
  vi.useRealTimers();
});
