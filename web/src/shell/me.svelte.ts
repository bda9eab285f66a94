/** Who the reader is to the service: a stranger, a guest, or a player with an account. */

import type { Me, Who } from "../api/messages";
import { ask } from "../api/service";
import { hasService } from "./site";

/** Marks a browser that has had a player: only then is the service asked at the start. */
const MARK = "cartagena.was_here";

class Known {
  me: Me | null = $state.raw(null);
  /** The request under way, so that two clicks make one guest. */
  asking: Promise<Me | null> | null = null;
  entering: Promise<Me> | null = null;
}

const known = new Known();

/** The player of this browser, or null before one came in; follows sign-in and sign-out. */
export function me(): Me | null {
  return known.me;
}

/** At the start: find out who this browser's player is, if it ever had one. */
export async function greet(): Promise<void> {
  // Without an answer the site still works for reading; each action asks again.
  if (hasService() && readMark()) await whoAmI().catch(() => null);
}

/** Ask the service once who this browser's player is; null if it has none yet. */
export function whoAmI(): Promise<Me | null> {
  known.asking ??= ask<Who>("GET", "/api/session").then(
    ({ me: player }) => (player === null ? null : become(player)),
    (problem: unknown) => {
      known.asking = null;
      throw problem;
    },
  );
  return known.asking;
}

/** The player of this browser; a stranger comes in as a guest. Call it before the first action. */
export function enter(): Promise<Me> {
  known.entering ??= entered().finally(() => (known.entering = null));
  return known.entering;
}

/** Make this player the browser's: after a sign-in, a passkey or a new name. */
export function become(player: Me): Me {
  known.me = player;
  known.asking = Promise.resolve(player);
  writeMark();
  return player;
}

/** Before the browser leaves to sign in elsewhere: on its return it should ask who its player is. */
export function expectToBeKnown(): void {
  writeMark();
}

/** End this browser's session. */
export async function signOut(): Promise<void> {
  await ask("POST", "/api/sign-out");
  forget();
}

/** The session has ended elsewhere: the browser has no player again. */
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
    // Then the next visit asks the service, which costs only one request more.
  }
}
