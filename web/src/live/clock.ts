/** What the clocks show: the deadline by the service's clock, minus what passed on ours since we heard of it. */

import type { Clock } from "../api/messages";

/** How many milliseconds a seat has left now; `heard` and `now` are by this browser's clock. */
export function timeLeft(clock: Clock, seat: number, heard: number, now: number): number {
  const { running, deadline, banks } = clock;
  if (seat !== running || deadline === null) return banks[seat] ?? 0;
  return Math.max(0, deadline - clock.now - (now - heard));
}

/** How many milliseconds are left until the deadline, whatever it is for; null without one. */
export function untilDeadline(clock: Clock, heard: number, now: number): number | null {
  return clock.deadline === null ? null : Math.max(0, clock.deadline - clock.now - (now - heard));
}

/** A time left as a clock shows it: `6:42`, `1:05:00`; from two days on that is told in words elsewhere. */
export function clockFace(milliseconds: number): string {
  // A clock that still has something left must not show nothing.
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** The marks at which one's own clock speaks, in seconds. */
export const SPOKEN = [60, 30, 10] as const;

/** The mark that was passed between two looks at a clock, or null. */
export function markPassed(before: number, after: number): (typeof SPOKEN)[number] | null {
  return SPOKEN.findLast((mark) => before > mark * 1000 && after <= mark * 1000) ?? null;
}
