/** Whether a game can begin on this device at once. Small: pages that may never play here ask it too. */

import { READY_LOCK } from "./wire";

/** Whether the engine runs already, in this tab or another. */
async function isRunning(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === READY_LOCK);
}

/** Whether it can be started without a network. */
async function isKept(): Promise<boolean> {
  const { fetchParts, isFetched } = await import("./parts");
  return fetchParts().then(isFetched, () => false);
}

/** Whether a game against bots begins here: the engine runs, or there is no network but there are its parts. */
export async function playsHere(): Promise<boolean> {
  // On plain http browsers offer no locks.
  if (!isSecureContext) return false;
  return (await isRunning()) || (!navigator.onLine && (await isKept()));
}
