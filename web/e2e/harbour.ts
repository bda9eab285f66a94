/** The service as tests see it: the addresses of its nodes, and what can be done to it (see `service.ts`). */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../test-results");

/** The environment variables in which `service.ts` leaves the addresses. */
export const NODES = "E2E_NODES";
export const DESK = "E2E_DESK";

export type Told = Record<string, unknown>;

/** An answer as it reached a page. */
export interface Received {
  method: string;
  path: string;
  status: number;
  headers: [string, string][];
  body: string;
}

/** What one page received and kept while a game ran, seen from one seat. */
export interface PageTraces {
  name: string;
  seat: number | null;
  received: Received[];
  kept: string[];
}

/** Three web nodes and a worker on one database, for all workers of Playwright. */
export class Harbour {
  readonly nodes = (process.env[NODES] ?? "").split(" ");
  /** The nodes that stay up; every test uses these. */
  readonly steady = this.nodes.slice(0, 2);
  /** The node that may be stopped: the tests that do so run one at a time, and no other test uses it. */
  readonly restarted = this.nodes[2] ?? "";

  /** The address of a node; people are spread over both. */
  node(number: number): string {
    return this.steady[number % this.steady.length] ?? "";
  }

  /** Stop that node as an operator would. */
  stopNode(): Promise<Told> {
    return this.tell({ stop: this.nodes.indexOf(this.restarted) });
  }

  /** Start it if it is not running. */
  startNode(): Promise<Told> {
    return this.tell({ start: this.nodes.indexOf(this.restarted) });
  }

  /** What pages should not have received or kept, once their game is over; one sentence each. */
  async leaks(table: string, pages: PageTraces[]): Promise<string[]> {
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, `traces-${table}.json`);
    writeFileSync(file, JSON.stringify({ table, pages }));
    const { leaks } = (await this.tell({ secrets: file })) as { leaks: string[] };
    return leaks;
  }

  private async tell(wish: Told): Promise<Told> {
    const answer = await fetch(process.env[DESK] ?? "", { method: "POST", body: JSON.stringify(wish) });
    const told = (await answer.json()) as Told;
    if ("trouble" in told) throw new Error(String(told["trouble"]));
    return told;
  }
}
