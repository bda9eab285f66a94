/** The quick match that this browser waits for; it goes on waiting while the player looks around. */

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
  /** How many have sat down so far, including the player. */
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

  /** Play bots at once, unless another player has come meanwhile: that game has priority. */
  async playBots(): Promise<void> {
    if (this.waiting === null) return;
    const { id, ruleset, seats } = this.waiting;
    // While the player sits there the stream is followed, which leads to a game that has begun.
    await leaveTable(id);
    this.stop();
    await beginAgainstBots(ruleset, seats);
  }

  /** Forget the match without leaving the table: the table's own page takes over. */
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
    // A table that is over was closed while we waited: there is nothing to go to.
    if (table.stage !== "over") go(`/table/${id}`);
  }
}

export const match = new Match();
