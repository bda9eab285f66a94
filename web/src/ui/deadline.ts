/** Time left until a deadline of days, in the reader's language. */

import { language } from "../words/words.svelte";

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** The largest sufficient unit: "2d", "30h", "45m"; days and hours are rounded down, minutes up. */
export function shortLeft(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS);
  if (minutes >= 2 * DAY) return unit(Math.floor(minutes / DAY), "day", "narrow");
  if (minutes >= 2 * HOUR) return unit(Math.floor(minutes / HOUR), "hour", "narrow");
  return unit(minutes, "minute", "narrow");
}

/** Time left in words, to the hour or the minute: "2 days 3 hours", "3 hours 20 minutes". */
export function longLeft(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS);
  const [days, hours] = [Math.floor(minutes / DAY), Math.floor((minutes % DAY) / HOUR)];
  const parts: [number, "day" | "hour" | "minute"][] =
    days > 0
      ? [
          [days, "day"],
          [hours, "hour"],
        ]
      : [
          [hours, "hour"],
          [minutes % HOUR, "minute"],
        ];
  const said = parts.filter(([number]) => number > 0);
  return (said.length > 0 ? said : [[0, "minute"] as const])
    .map(([number, name]) => unit(number, name, "long"))
    .join(" ");
}

function unit(number: number, name: string, unitDisplay: "narrow" | "long"): string {
  return new Intl.NumberFormat(language(), { style: "unit", unit: name, unitDisplay }).format(number);
}
