/** The time on this machine as something that screens can follow; it runs only while somebody looks. */

import { createSubscriber } from "svelte/reactivity";

const TICK_MS = 250;

const follow = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => clearInterval(timer);
});

/** The present moment by `performance.now()`; whoever reads it is drawn anew four times a second. */
export function ticking(): { now: number } {
  follow();
  return { now: performance.now() };
}
