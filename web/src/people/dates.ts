/** Moments of the service as the reader's language writes them. */

import { language } from "../words/words.svelte";

/** A day: "12 Nov 2026". */
export function dayText(moment: number): string {
    return new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(moment);
}

/** A day and its time: "12 Nov 2026, 14:30". */
export function momentText(moment: number): string {
    return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** The time of a day: "14:30". */
export function timeText(moment: number): string {
    return new Intl.DateTimeFormat(language(), { timeStyle: "short" }).format(moment);
}
