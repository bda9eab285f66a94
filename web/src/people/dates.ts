/** Moments of the service as the reader's language writes them. */

import { language } from "../words/words.svelte";

/** A day: "12 Nov 2026". */
export function dayText(moment: number): string {
  return new Intl.DateTimeFormat(manner(), { dateStyle: "medium" }).format(moment);
}

/** A day and its time: "12 Nov 2026, 14:30". */
export function momentText(moment: number): string {
  return new Intl.DateTimeFormat(manner(), { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** The time of a day: "14:30". */
export function timeText(moment: number): string {
  return new Intl.DateTimeFormat(manner(), { timeStyle: "short" }).format(moment);
}

/** The spoken language as the reader's own country writes it, if the browser says which that is. */
function manner(): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();
}
