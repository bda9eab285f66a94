/** Playing on from where the reader is: at a table of this device, or at one of the service. */

import type { TableAnswer } from "../api/messages";
import { ask, newKey } from "../api/service";
import { playOn } from "../device/playing";
import { enter } from "../shell/me.svelte";
import { hasService } from "../shell/site";

export type Where = "device" | "service";

/** The service takes no longer record, in characters. */
const LONGEST_RECORD = 30_000;

/** Where a game can go on; a site of files alone has no service. */
export function placesFor(record: string): readonly Where[] {
  return hasService() && record.length <= LONGEST_RECORD ? ["device", "service"] : ["device"];
}

/**
 * Go on from the end of a record, with a level or null for a person at each seat; returns the id of the table.
 *
 * On the service a visitor becomes a guest.
 */
export async function playOnAt(
  where: Where,
  record: string,
  levels: readonly (string | null)[],
  names: readonly string[],
): Promise<string> {
  switch (where) {
    case "device":
      return playOn(record, levels, names);
    case "service": {
      await enter();
      const body = { key: newKey(), record, levels };
      return (await ask<TableAnswer>("POST", "/api/tables/from-record", body)).id;
    }
  }
}
