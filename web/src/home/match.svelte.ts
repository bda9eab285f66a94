/** The quick match for which this browser waits; it goes on waiting while its player looks around. */

import type { ClockTerms, Update } from "../api/messages";
import { go } from "../shell/router.svelte";
import { beginAgainstBots } from "./againstBots";
import { findMatch, leaveTable } from "./joining";

interface Waiting {
  id: string;
  ruleset: string;
  seats: number;
  clock: ClockTerms | null;
  since: number;
}

class Match {
  waiting: Waiting | null = $state.raw(null);
  /** How many have sat down so far, the player himself included. */
  seated = $state(1);
  private stream: EventSource | null = null;

  /** Look for players; goes to the table as soon as it is full. */
  async find(ruleset: string, seats: number): Promise<void> {
    const { id, current } = await findMatch(ruleset, seats);
    this.stop();
    if (current.table?.stage !== "open") {
      go(`/table/${id}`);
      return;
    }
    this.waiting = { id, ruleset, seats, clock: current.table.clock, since: Date.now() };
    this.look(current);
    this.stream = new EventSource(`/api/tables/${id}/stream`);
    this.stream.addEventListener("update", (event: MessageEvent<string>) =>
      this.look(JSON.parse(event.data) as Update),
    );
  }

  /** Stop waiting and get up. */
  async cancel(): Promise<void> {
    const waiting = this.waiting;
    this.stop();
    if (waiting !== null) await leaveTable(waiting.id);
  }

  /** Play bots at once; if somebody has come meanwhile, that game goes before. */
  async playBots(): Promise<void> {
    if (this.waiting === null) return;
    const { id, ruleset, seats } = this.waiting;
    // As long as one sits there the stream is followed: a game that has begun is gone to.
    await leaveTable(id);
    this.stop();
    await beginAgainstBots(ruleset, seats);
  }

  /** Forget it here, without getting up: the table's own page takes over. */
  stop(): void {
    this.stream?.close();
    this.stream = null;
    this.waiting = null;
  }

  private look({ table }: Update): void {
    if (table === undefined || table === null || this.waiting === null) return;
    this.seated = table.chairs.filter((chair) => chair.kind !== "open").length;
    if (table.stage === "open") return;
    const { id } = this.waiting;
    this.stop();
    // A table that is over closed while we waited: there is nothing to go to.
    if (table.stage !== "over") go(`/table/${id}`);
  }
}

export const match = new Match();
