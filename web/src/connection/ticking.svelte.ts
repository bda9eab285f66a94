/** The time on this machine as something that screens can follow; it runs only while a screen uses it. */

import { createSubscriber } from "svelte/reactivity";

const TICK_MS = 250;

const follow = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => clearInterval(timer);
});

/** The current time by `performance.now()`; a component that reads it is redrawn four times a second. */
export function ticking(): { now: number } {
  follow();
  return { now: performance.now() };
}
