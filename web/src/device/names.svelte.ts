/** The names of those who play on this device, kept for their next game. */

import { say } from "../words/words.svelte";

const STORE = "cartagena.device.names";
export const LONGEST_NAME = 24;
const MOST = 5;

export class Names {
  /** As typed; empty for somebody who typed nothing. */
  typed: string[] = $state(stored());

  /** The names of the first `people`, each another: two of one name get numbers. */
  of(people: number): string[] {
    const names: string[] = [];
    for (let index = 0; index < people; index++) {
      const name = this.typed[index]?.trim() || say("web.device.name.usual", { number: index + 1 });
      names.push(names.includes(name) ? `${name.slice(0, LONGEST_NAME - 2)} ${index + 1}` : name);
    }
    return names;
  }

  keep(): void {
    try {
      localStorage.setItem(STORE, JSON.stringify(this.typed));
    } catch {
      // Without storage they are typed again.
    }
  }
}

function stored(): string[] {
  const empty = Array.from({ length: MOST }, () => "");
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return empty.map((none, index) => {
      const name: unknown = Array.isArray(kept) ? kept[index] : none;
      return typeof name === "string" ? name.slice(0, LONGEST_NAME) : none;
    });
  } catch {
    return empty;
  }
}
