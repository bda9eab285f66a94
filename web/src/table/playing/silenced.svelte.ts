/** Whose lines this browser does not show; kept in localStorage, never sent anywhere. */

import { SvelteSet } from "svelte/reactivity";
import type { ChatLine, Table } from "../../api/messages";

const KEY = "cartagena.silenced";
/** The oldest are forgotten. */
const MOST = 200;

export class Silenced {
  /** Ids of players, or the names of spectators. */
  readonly #keys = new SvelteSet<string>(kept());

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.add(key);
    this.#keep();
  }

  /** Show all lines again. */
  clear(): void {
    this.#keys.clear();
    this.#keep();
  }

  /** The lines of all speakers who are not silenced. */
  heard(chat: readonly ChatLine[], table: Table): ChatLine[] {
    return chat.filter((line) => !this.has(keyOf(line, table)));
  }

  #keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify([...this.#keys].slice(-MOST)));
    } catch {
      // Without storage silence lasts as long as the page.
    }
  }
}

export const silenced = new Silenced();

/** The key under which a speaker's lines are silenced. */
export function keyOf({ seat, name, player }: ChatLine, table: Table): string {
  return player ?? table.chairs[seat ?? -1]?.player ?? name;
}

function kept(): string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  } catch {
    // Forbidden or damaged storage counts as empty.
    return [];
  }
}
