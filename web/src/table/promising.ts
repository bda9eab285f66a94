/** Taking part in the shuffle automatically: promise a number while people sit down, show it at the start. */

import type { Chair, Table } from "../api/messages";
import {
  canTakePart,
  drawPledge,
  isAsPromised,
  isUsedElsewhere,
  keep,
  keepPledge,
  keptOf,
  promiseOf,
  type Kept,
} from "../connection/shuffle";
import type { LiveTable } from "../connection/table.svelte";

/** The state of this browser's part in the shuffle. */
export type Part = "taking" | "unable" | "broken";

/** What has to be done now: nothing, promise a number, show it, or not show it because something changed. */
export type Duty = "none" | "promise" | "show" | "broken";

/** The next duty of a seat. `promised` says whether this page has already made a promise for this start. */
export function dutyOf(table: Table, chair: Chair, kept: Kept | null, promised: boolean): Duty {
  const ours = kept?.nonceHash === chair.nonce_hash ? kept : null;
  if (table.stage === "open") return ours === null && !isAnothers(chair, promised) ? "promise" : "none";
  if (table.stage !== "starting" || ours === null || isShown(ours, table)) return "none";
  return isAsPromised(ours, promiseOf(table, chair.seat)) ? "show" : "broken";
}

/** A promise from another device of ours is replaced once; insisting would make the two fight. */
function isAnothers(chair: Chair, promised: boolean): boolean {
  return chair.nonce_hash != null && promised;
}

function isShown(kept: Kept, table: Table): boolean {
  return kept.isShown === true && kept.promise?.game === table.game;
}

/** Does what the shuffle asks of this seat, once for each start. */
export class Promising {
  private busy = false;
  private promisedFor = -1;

  constructor(private readonly live: LiveTable) {}

  /** Look at the table and do what is due; returns the state of our part after it. */
  async look(): Promise<Part> {
    const { table, seat } = this.live;
    const chair = table?.chairs[seat ?? -1];
    if (table === null || chair === undefined || !canTakePart()) return canTakePart() ? "taking" : "unable";
    const kept = keptOf(table.id);
    const duty = this.dutyAt(table, chair, kept);
    if (duty === "broken") return "broken";
    if (duty !== "none" && !this.busy) await this.fulfil(duty, table, chair.seat, kept);
    return "taking";
  }

  private dutyAt(table: Table, chair: Chair, kept: Kept | null): Duty {
    const duty = dutyOf(table, chair, kept, this.promisedFor === table.starts);
    return duty === "show" && isUsedElsewhere(table.id, table.commitment) ? "broken" : duty;
  }

  private async fulfil(
    duty: "promise" | "show",
    table: Table,
    seat: number,
    kept: Kept | null,
  ): Promise<void> {
    this.busy = true;
    try {
      if (duty === "promise") await this.promise(table);
      else if (kept !== null) await this.show(table, seat, kept);
    } catch {
      // The start was faster, or a player left: the next update shows what is due.
    } finally {
      this.busy = false;
    }
  }

  private async promise(table: Table): Promise<void> {
    const pledge = await drawPledge();
    this.promisedFor = table.starts;
    // Kept before it is sent: a promise whose number is lost would block the start.
    keepPledge(table.id, pledge, table.commitment);
    await this.live.command("promise", { nonce_hash: pledge.nonceHash });
  }

  private async show(table: Table, seat: number, kept: Kept): Promise<void> {
    const promise = promiseOf(table, seat);
    keep(table.id, { ...kept, promise });
    await this.live.command("nonce", { nonce: kept.nonce });
    // By now something of the deal may be kept; or the start was called off, and another tab promised anew.
    const now = keptOf(table.id);
    if (now?.nonceHash === kept.nonceHash) keep(table.id, { ...now, promise, isShown: true });
  }
}
