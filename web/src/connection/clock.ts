/** What the clocks show: the time to the service's deadline, minus what has passed here since it arrived. */

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

/** Time left as a clock shows it: `6:42`, `1:05:00`; two days and more are told in words elsewhere. */
export function clockFace(milliseconds: number): string {
  // A clock with any time left must not show zero.
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** The marks at which the player's own clock speaks, in seconds. */
export const SPOKEN = [60, 30, 10] as const;

/** The mark passed between two looks at a clock, or null. */
export function markPassed(before: number, after: number): (typeof SPOKEN)[number] | null {
  return SPOKEN.findLast((mark) => before > mark * 1000 && after <= mark * 1000) ?? null;
}
