/** How far the reader has read: which tab is open, and the last line of chat that was in sight. */

import type { ChatLine } from "../../api/messages";

class Reading {
  tab: "log" | "chat" = $state("log");
  private lastSeen = $state(0);
  private store = "";

  /** How many lines have come since the chat was last in sight. */
  unread(chat: readonly ChatLine[]): number {
    return chat.filter(({ number }) => number > this.lastSeen).length;
  }

  seen(chat: readonly ChatLine[]): void {
    this.lastSeen = Math.max(this.lastSeen, chat.at(-1)?.number ?? 0);
    // Remembered across a reload of the page.
    if (this.store !== "") sessionStorage.setItem(this.store, String(this.lastSeen));
  }

  /** Start with another table. */
  begin(tableId: string): void {
    this.tab = "log";
    this.store = `cartagena.read.${tableId}`;
    this.lastSeen = Number(sessionStorage.getItem(this.store) ?? 0);
  }
}

export const reading = new Reading();
