/** The lobby as it is now, followed through the service's stream. */

import type { Listing } from "../api/messages";
import { ask } from "../api/service";
import {
  afterChange,
  afterPage,
  NO_LISTINGS,
  openTables,
  runningTables,
  type Change,
  type Listings,
} from "./listings";

interface Page {
  tables: Listing[];
}

export class Lobby {
  private listings: Listings = $state.raw(NO_LISTINGS);
  /** Whether the first page has arrived, to tell an empty lobby from one that is loading. */
  isKnown = $state(false);
  /** Whether changes arrive at once. */
  isLive = $state(false);

  readonly open = $derived(openTables(this.listings));
  readonly running = $derived(runningTables(this.listings));

  /** Follow the lobby until the returned function is called. */
  follow(): () => void {
    const stream = new EventSource("/api/lobby/stream");
    stream.addEventListener("open", () => (this.isLive = true));
    stream.addEventListener("error", () => (this.isLive = false));
    stream.addEventListener("lobby", (event: MessageEvent<string>) =>
      this.page("open", JSON.parse(event.data) as Page),
    );
    stream.addEventListener("listing", (event: MessageEvent<string>) =>
      this.change(JSON.parse(event.data) as Change),
    );
    // The stream reports tables that begin; those already running are on a separate page.
    ask<Page>("GET", "/api/lobby?stage=running").then(
      (page) => this.page("running", page),
      () => undefined,
    );
    return () => stream.close();
  }

  private page(stage: Listing["stage"], { tables }: Page): void {
    this.listings = afterPage(this.listings, stage, tables);
    if (stage === "open") this.isKnown = true;
  }

  private change(change: Change): void {
    this.listings = afterChange(this.listings, change);
  }
}
