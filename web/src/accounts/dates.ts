/** The service's times as the reader's language writes them. */

import { language } from "../words/words.svelte";

/** A day: "12 Nov 2026". */
export function dayText(moment: number): string {
  return new Intl.DateTimeFormat(manner(), { dateStyle: "medium" }).format(moment);
}

/** A day and a time: "12 Nov 2026, 14:30". */
export function momentText(moment: number): string {
  return new Intl.DateTimeFormat(manner(), { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** A time of day: "14:30". */
export function timeText(moment: number): string {
  return new Intl.DateTimeFormat(manner(), { timeStyle: "short" }).format(moment);
}

/** The spoken language in the variant of the reader's country, if the browser names it. */
function manner(): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === language()) ?? language();
}
