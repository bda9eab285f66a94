/** The keys of the replay; they work only while the board, the graph or the bar has the focus. */

import type { Move } from "./player.svelte";

/** What a key asks for: a step, playing, or the next mistake. */
export type Wish = Move | "toggle" | "before" | "after";

const KEYS: Readonly<Record<string, Wish>> = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  "Shift+ArrowLeft": "turnBack",
  "Shift+ArrowRight": "turnForward",
  Home: "first",
  End: "last",
  n: "after",
  "Shift+N": "before",
};

/** What a key asks for; null for keys that are not ours. Space on a button presses the button. */
export function moveOf(event: KeyboardEvent): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === " ") return isButton(event.target) ? null : "toggle";
  return KEYS[event.shiftKey ? `Shift+${event.key}` : event.key] ?? null;
}

/** Places of the board are buttons too, but there is nothing to press in a replay. */
function isButton(target: EventTarget | null): boolean {
  const button = target instanceof Element ? target.closest("button") : null;
  return button !== null && button.closest("[role=gridcell]") === null;
}
