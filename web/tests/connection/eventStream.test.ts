/** Following a stream across breaks: from where it stopped, without repeats or gaps. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { follow, lookIn, type Connection, type Listener } from "../../src/connection/eventStream";
import type { Place, StreamEvent } from "../../src/connection/frames";
import { openPage } from "./around";

/** The answer to a request for the stream: text and then the end, silence, or a refusal. */
type Answer = { text: string } | { silence: true } | { status: number; code: string };

const asked: (string | null)[] = [];
let answers: Answer[] = [];
let window: EventTarget;

class Ear implements Listener {
  readonly told: string[] = [];
  readonly states: Connection[] = [];
  at: Place | null = null;

  place(): Place | null {
    return this.at;
  }
  tell({ data, id }: StreamEvent): void {
    this.told.push(data);
    const [seq = 0, chat = 0] = (id ?? "").split(".").map(Number);
    this.at = { seq, chat };
  }
  connection(now: Connection): void {
    this.states.push(now);
  }
  beat(): void {}
}

function event(seq: number): string {
  return `event: update\nid: ${seq}.0\ndata: ${seq}\n\n`;
}

function bodyOf(
  answer: { text: string } | { silence: true },
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if ("text" in answer) {
        controller.enqueue(new TextEncoder().encode(answer.text));
        controller.close();
      } else signal.addEventListener("abort", () => controller.error(new DOMException("gone", "AbortError")));
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  ({ window } = openPage());
  vi.stubGlobal("navigator", { onLine: true });
  asked.length = 0;
  vi.stubGlobal("fetch", (_: string, request: RequestInit) => {
    asked.push(new Headers(request.headers).get("Last-Event-ID"));
    const answer = answers.shift();
    if (answer === undefined) return Promise.reject(new TypeError("gone"));
    if ("status" in answer) {
      const body = JSON.stringify({ error: { code: answer.code, message: "", retry_after: 2 } });
      return Promise.resolve(new Response(body, { status: answer.status }));
    }
    return Promise.resolve(new Response(bodyOf(answer, request.signal as AbortSignal)));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Follow until the prepared answers are used up and `milliseconds` have passed. */
async function followed(ear: Ear, milliseconds: number): Promise<string | null> {
  const leaving = new AbortController();
  let closed: string | null = null;
  const end = follow("/stream", ear, leaving.signal).then(
    (code) => (closed = code),
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(milliseconds);
  leaving.abort();
  await end;
  return closed;
}

describe("following", () => {
  it("goes on from the last event after a break", async () => {
    const ear = new Ear();
    answers = [{ text: event(1) + event(2) }, { text: event(3) }, { silence: true }];
    await followed(ear, 5000);
    expect(ear.told).toEqual(["1", "2", "3"]);
    expect(asked).toEqual([null, "2.0", "3.0"]);
    expect(ear.states).toEqual(["live", "waiting", "live", "waiting", "live"]);
  });

  it("drops what was cut off in the middle: the service tells it again", async () => {
    const ear = new Ear();
    answers = [{ text: event(1) + "event: update\nid: 2.0\ndata: 2" }, { text: event(2) }, { silence: true }];
    await followed(ear, 5000);
    expect([ear.told, asked[1]]).toEqual([["1", "2"], "1.0"]);
  });

  it("tells compact updates and patches of them as whole ones", async () => {
    const ear = new Ear();
    const words = { seq: 1, happened: [["won", 1]], catalogue: { happened: { won: ["seat"] } } };
    const compact = `event: update\nid: 1.0\ndata: ${JSON.stringify(words)}\n\n`;
    const patch = 'event: patch\nid: 2.0\ndata: {"seq":[2],"happened":{"0":{"1":[0]}}}\n\n';
    answers = [{ text: compact + patch }, { silence: true }];
    await followed(ear, 5000);
    expect(ear.told).toEqual([
      '{"seq":1,"happened":[{"happening":"won","seat":1}]}',
      '{"seq":2,"happened":[{"happening":"won","seat":0}]}',
    ]);
  });

  it("ends when the service closes the stream for good, and tells why", async () => {
    const ear = new Ear();
    answers = [{ text: event(1) + 'event: closed\ndata: {"code":"banned"}\n\n' }];
    expect(await followed(ear, 5000)).toBe("banned");
    expect([ear.told, asked.length]).toEqual([["1"], 1]);
  });

  it("comes back after a restart of the service, but not before it was told to", async () => {
    const ear = new Ear();
    answers = [
      { text: 'retry: 4000\nevent: closed\ndata: {"code":"restart"}\n\n' },
      { text: event(1) },
      { silence: true },
    ];
    await followed(ear, 3900);
    expect(asked.length).toBe(1);
    answers = [
      { text: 'retry: 4000\nevent: closed\ndata: {"code":"restart"}\n\n' },
      { text: event(1) },
      { silence: true },
    ];
    await followed(ear, 4100);
    expect(ear.told).toEqual(["1"]);
  });

  it("waits out what passes and ends with what does not", async () => {
    answers = [
      { status: 503, code: "unavailable" },
      { status: 404, code: "no_such_table" },
    ];
    expect(await followed(new Ear(), 1900)).toBeNull();
    expect(asked.length).toBe(1);
    answers = [
      { status: 503, code: "unavailable" },
      { status: 404, code: "no_such_table" },
    ];
    expect(await followed(new Ear(), 2100)).toBe("no_such_table");
  });

  it("leaves a stream that brings nothing, not even a heartbeat", async () => {
    const ear = new Ear();
    answers = [{ silence: true }, { text: event(1) }, { silence: true }];
    await followed(ear, 44_000);
    expect(ear.told).toEqual([]);
    answers = [{ silence: true }, { text: event(1) }, { silence: true }];
    await followed(ear, 52_000);
    expect(ear.told).toEqual(["1"]);
  });

  it("says that it is offline, and is back at once with the network", async () => {
    const ear = new Ear();
    vi.stubGlobal("navigator", { onLine: false });
    const leaving = new AbortController();
    const end = follow("/stream", ear, leaving.signal).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ear.states.at(-1)).toBe("offline");
    answers = [{ text: event(1) }];
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(1);
    expect(ear.told).toEqual(["1"]);
    leaving.abort();
    await end;
  });
});

describe("looking in", () => {
  beforeEach(() => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), milliseconds);
      return leaving.signal;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("hears what was missed and goes", async () => {
    const ear = new Ear();
    answers = [{ text: event(7) }];
    expect(await lookIn("/stream", ear, new AbortController().signal)).toBeNull();
    expect(ear.told).toEqual(["7"]);
  });

  it("does not stay with a stream that has nothing to tell", async () => {
    answers = [{ silence: true }];
    let isBack = false;
    void lookIn("/stream", new Ear(), new AbortController().signal).then(() => (isBack = true));
    await vi.advanceTimersByTimeAsync(1400);
    expect(isBack).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isBack).toBe(true);
  });

  it("tells why a stream is closed for good", async () => {
    answers = [{ status: 403, code: "forbidden" }];
    expect(await lookIn("/stream", new Ear(), new AbortController().signal)).toBe("forbidden");
  });
});
