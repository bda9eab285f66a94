/** Who the reader is to the service: nobody yet, a guest, or a player with an account. */

import type { Me } from "../api/messages";
import { ask, ServiceRefusal } from "../api/service";

/** Marks a browser that has been somebody: only such a one is asked about at the start. */
const MARK = "cartagena.was_here";

class Known {
  me: Me | null = $state.raw(null);
  /** The one question or entrance under way, so that two clicks make one guest. */
  asking: Promise<Me | null> | null = null;
  entering: Promise<Me> | null = null;
}

const known = new Known();

/** The player of this browser, or null before anybody came in; follows sign-in and sign-out. */
export function me(): Me | null {
  return known.me;
}

/** At the start: find out who this browser is, if it ever was anybody. */
export async function greet(): Promise<void> {
  // Without an answer the site still works for reading; each action asks again.
  if (readMark()) await whoAmI().catch(() => null);
}

/** Ask the service once who this browser is; null if it is nobody's yet. */
export function whoAmI(): Promise<Me | null> {
  known.asking ??= ask<Me>("GET", "/api/me").then(become, (problem: unknown) => {
    if (problem instanceof ServiceRefusal && problem.status === 401) return null;
    known.asking = null;
    throw problem;
  });
  return known.asking;
}

/** The player of this browser; whoever is nobody yet comes in as a guest. For the first thing one does. */
export function enter(): Promise<Me> {
  known.entering ??= entered().finally(() => (known.entering = null));
  return known.entering;
}

/** From now on the browser is this player's: after a sign-in, a passkey or a new name. */
export function become(player: Me): Me {
  known.me = player;
  known.asking = Promise.resolve(player);
  writeMark();
  return player;
}

/** Before the browser leaves to sign in elsewhere: when it is back, it should ask who it is. */
export function expectToBeKnown(): void {
  writeMark();
}

/** End this browser's session. */
export async function signOut(): Promise<void> {
  await ask("POST", "/api/sign-out");
  forget();
}

/** The session has ended elsewhere: the reader is nobody again. */
export function forget(): void {
  known.me = null;
  known.asking = Promise.resolve(null);
}

async function entered(): Promise<Me> {
  const player = known.me ?? (await whoAmI());
  if (player !== null) return player;
  const { me: guest } = await ask<{ me: Me }>("POST", "/api/guest", {});
  return become(guest);
}

function readMark(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
  } catch {
    return true;
  }
}

function writeMark(): void {
  try {
    localStorage.setItem(MARK, "yes");
  } catch {
    // Then the next visit asks, which is only one question more.
  }
}
