/** The keys of the board: where the keyboard goes from a place. They work only while the board has the focus. */

import type { View } from "../api/messages";
import {
  countAt,
  familyOf,
  HOME,
  nextPlace,
  placeInNextRow,
  SIGNS,
  START,
  type Place,
} from "../board/places";
import { say } from "../words/words.svelte";

interface Where {
  view: View;
  current: Place;
  you: number | null;
  /** Whether single letters are keys. */
  hasLetters: boolean;
}

type Key = Pick<KeyboardEvent, "key" | "shiftKey">;

/** Where a key leads; null if nowhere. */
export function placeForKey(event: Key, where: Where): Place | null {
  const family = familyOf(where.view);
  switch (event.key) {
    case "ArrowRight":
      return Math.min(where.current + 1, HOME);
    case "ArrowLeft":
      return Math.max(where.current - 1, START);
    case "ArrowDown":
      return placeInNextRow(family, where.current, 1);
    case "ArrowUp":
      return placeInNextRow(family, where.current, -1);
    case "Home":
      return START;
    case "End":
      return HOME;
    default:
      return where.hasLetters ? placeForLetter(event, where) : null;
  }
}

function placeForLetter({ key, shiftKey }: Key, { view, current, you }: Where): Place | null {
  const letter = key.toUpperCase();
  if (letter === "M") {
    if (you === null) return null;
    return nextPlace(current, shiftKey ? -1 : 1, (place) => countAt(view.pirates, you, place) > 0);
  }
  const sign = SIGNS[familyOf(view)].find((each) => say(`web.board.letter.${each}`) === letter);
  return sign === undefined
    ? null
    : nextPlace(current, shiftKey ? -1 : 1, (place) => view.board[place] === sign);
}

/** Whether a key presses the focused element, or clears the choice. */
export function isPressing({ key }: Pick<KeyboardEvent, "key">): boolean {
  return key === "Enter" || key === " " || key === "Escape";
}

/** Whether a key is the space bar where it has no other meaning. */
export function isFreeSpace({ key, target }: Pick<KeyboardEvent, "key" | "target">): boolean {
  return key === " " && !(target instanceof Element && target.closest("a, button, [tabindex]"));
}

/** Whether a key is meant for the game: without modifiers, and not in a text field or an open question. */
export function isForGame(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  return !(target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog"));
}
