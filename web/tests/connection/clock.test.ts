/** Clocks: by the service's time, whatever ours is. */

import { describe, expect, it } from "vitest";
import { clockFace, markPassed, timeLeft, untilDeadline } from "../../src/connection/clock";

const CLOCK = { banks: [600_000, 300_000], running: 0, deadline: 1_000_500_000, now: 1_000_000_000 };

describe("clocks", () => {
  it("run down from the deadline with our own time since we heard", () => {
    expect(timeLeft(CLOCK, 0, 100, 100)).toBe(500_000);
    expect(timeLeft(CLOCK, 0, 100, 20_100)).toBe(480_000);
    expect(timeLeft(CLOCK, 0, 100, 9_000_000)).toBe(0);
  });

  it("stand still for players who are not to move", () => {
    expect(timeLeft(CLOCK, 1, 100, 90_000)).toBe(300_000);
  });

  it("tell how long a start may take", () => {
    expect(untilDeadline({ ...CLOCK, running: null }, 0, 1000)).toBe(499_000);
    expect(untilDeadline({ ...CLOCK, deadline: null }, 0, 0)).toBeNull();
  });

  it.each([
    [402_000, "6:42"],
    [401_001, "6:42"],
    [0, "0:00"],
    [1, "0:01"],
    [3_905_000, "1:05:05"],
  ])("show %i as %s", (milliseconds, shown) => {
    expect(clockFace(milliseconds)).toBe(shown);
  });

  it("speak at a mark, once, and only at the last of several", () => {
    expect(markPassed(61_000, 60_000)).toBe(60);
    expect(markPassed(60_000, 59_000)).toBeNull();
    expect(markPassed(70_000, 9000)).toBe(10);
  });
});
