/** Tabs share one stream: one leads, the others listen, and a few connections serve many tables. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Tabs, withRoom } from "../../src/connection/sharing";
import { Channel, Locks, openPage, type Page } from "./around";

let page: Page;
let locks: Locks;

beforeEach(() => {
  vi.useFakeTimers();
  ({ page } = openPage());
  locks = new Locks();
  vi.stubGlobal("navigator", { onLine: true, locks });
  vi.stubGlobal("BroadcastChannel", Channel);
});

afterEach(() => {
  Channel.open.clear();
  Channel.hearing = (hear) => hear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A tab that leads until it is told to stop; `led` and `lost` count how often it got and lost the lead. */
class Tab {
  readonly heard: string[] = [];
  readonly leaving = new AbortController();
  readonly tabs = new Tabs<string>("table", (told) => this.heard.push(told), this.leaving.signal);
  led = 0;
  lost = 0;

  constructor() {
    void this.tabs.lead((signal) => {
      this.led++;
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          this.lost++;
          resolve();
        });
      });
    });
  }
}

async function later(milliseconds = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

describe("the lead", () => {
  it("is the first tab's, and the next one's as soon as that is gone", async () => {
    const [first, second] = [new Tab(), new Tab()];
    await later();
    expect([first.led, second.led]).toEqual([1, 0]);
    first.leaving.abort();
    await later();
    expect(second.led).toBe(1);
    second.leaving.abort();
  });

  it("is taken from a tab that was silent for too long; it lines up again", async () => {
    const [frozen, awake] = [new Tab(), new Tab()];
    await later(60_000);
    expect(awake.led).toBe(0);
    await later(30_000);
    expect([awake.led, frozen.lost]).toEqual([1, 1]);
    awake.leaving.abort();
    await later();
    expect(frozen.led).toBe(2);
    frozen.leaving.abort();
  });

  it("is not taken from a tab that tells something now and then", async () => {
    const [leader, other] = [new Tab(), new Tab()];
    for (let minute = 0; minute < 5; minute++) {
      await later(60_000);
      leader.tabs.post("still here");
    }
    await later();
    expect([other.led, other.heard.length, leader.heard]).toEqual([0, 5, []]);
    leader.leaving.abort();
    other.leaving.abort();
  });

  it("is everybody's where there are no locks, and nobody repeats what all hear", async () => {
    vi.stubGlobal("navigator", { onLine: true });
    const [one, other] = [new Tab(), new Tab()];
    one.tabs.post("an event");
    await later();
    expect([one.led, other.led, other.heard]).toEqual([1, 1, []]);
    one.leaving.abort();
    other.leaving.abort();
  });
});

/** A stream that stays until it is asked to make room; counts how often it stayed and looked in. */
class Stream {
  stays = 0;
  looks = 0;
  readonly leaving = new AbortController();
  readonly ended: Promise<string | null>;

  constructor() {
    this.ended = withRoom(
      (asked) => {
        this.stays++;
        return new Promise((_, reject) => {
          asked.addEventListener("abort", () => reject(new DOMException("asked", "AbortError")));
        });
      },
      () => Promise.resolve((this.looks++, null)),
      this.leaving.signal,
    ).catch(() => null);
  }
}

describe("room for streams", () => {
  it("is for four; a fifth looks in now and then", async () => {
    const streams = Array.from({ length: 5 }, () => new Stream());
    await later();
    expect(streams.map(({ stays }) => stays)).toEqual([1, 1, 1, 1, 0]);
    expect(streams[4]?.looks).toBe(1);
    await later(3000);
    expect(streams[4]?.looks).toBe(2);
    streams.forEach(({ leaving }) => leaving.abort());
  });

  it("is given up by a hidden tab for one that somebody looks at", async () => {
    const hidden = Array.from({ length: 4 }, () => new Stream());
    await later();
    Channel.hearing = (hear) => {
      page.hidden = true;
      hear();
      page.hidden = false;
    };
    const seen = new Stream();
    await later();
    expect(hidden.map(({ stays, looks }) => [stays, looks])).toEqual(Array(4).fill([1, 1]));
    hidden.forEach(({ leaving }) => leaving.abort());
    await later(3000);
    expect(seen.stays).toBe(1);
    seen.leaving.abort();
  });

  it("is for all where one connection carries every stream", async () => {
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([
      { nextHopProtocol: "h2" } as unknown as PerformanceEntry,
    ]);
    const streams = Array.from({ length: 6 }, () => new Stream());
    await later();
    expect(streams.every(({ stays, looks }) => stays === 1 && looks === 0)).toBe(true);
    expect(locks.isHeld("cartagena.streams.0")).toBe(false);
    streams.forEach(({ leaving }) => leaving.abort());
    vi.restoreAllMocks();
  });

  it("ends with the stream, and tells why", async () => {
    const ended = withRoom(
      () => Promise.resolve("game_over"),
      () => Promise.resolve(null),
      new AbortController().signal,
    );
    await later();
    expect(await ended).toBe("game_over");
  });
});
