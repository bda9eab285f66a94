/**
 * Following a stream across any break: from where it stopped, without repeats or gaps.
 *
 * Streams are read with `fetch` rather than `EventSource`: only then can a page see the heartbeat and tell a
 * dead connection from a quiet table, read why it was refused, and choose where to go on from.
 */

import { pauseOf, refusalOf, sleep } from "../api/service";
import { send } from "../api/transport";
import { expanded } from "./compact";
import { EventReader, formatPlace, type Place, type StreamEvent } from "./frames";
import { patched, type Edit } from "./patches";

export type Connection = "live" | "waiting" | "offline";

/** What a follower of a stream has to implement. */
export interface Listener {
  /** Where to go on from; null asks for the whole state. */
  place(): Place | null;
  tell(event: StreamEvent): void;
  connection(now: Connection): void;
  /** Something arrived, perhaps only a heartbeat. */
  beat(): void;
}

/** A stream without any data, not even a heartbeat, for this long is dead. */
export const SILENCE_MS = 45_000;
/** After the machine has slept a shorter wait is enough: heartbeats come every 15 seconds. */
const SILENCE_ON_WAKING_MS = 20_000;
const LONGEST_RETRY_MS = 10_000;
const PASSING: readonly number[] = [429, 502, 503, 504];

/** Why a stream should not be followed any more: the code of `closed` or of a refusal. */
export type Closed = string;

/** Follow until the service closes the stream for good; rejects when the signal is aborted. */
export async function follow(path: string, listener: Listener, signal: AbortSignal): Promise<Closed> {
  for (let failures = 0; ;) {
    const visit = new Visit(path, listener, signal);
    const closed = await visit.stay();
    signal.throwIfAborted();
    if (closed !== null && closed !== "restart") return closed;
    failures = visit.heard ? 1 : failures + 1;
    listener.connection(navigator.onLine ? "waiting" : "offline");
    const told = visit.heard || closed === "restart" ? visit.retry : 0;
    await sleepOrWake(Math.max(Math.min(told, LONGEST_RETRY_MS), pauseOf(failures)), signal);
  }
}

/** Look in once: hear what was missed, then leave. For a page that may not keep a connection. */
export async function lookIn(path: string, listener: Listener, signal: AbortSignal): Promise<Closed | null> {
  const quiet = AbortSignal.timeout(1500);
  const closed = await new Visit(path, listener, AbortSignal.any([signal, quiet])).stay();
  signal.throwIfAborted();
  return closed === "restart" ? null : closed;
}

/** One connection to a stream. */
class Visit {
  heard = false;
  retry = 0;

  private readonly reader = new EventReader();
  private readonly leaving = new AbortController();
  private lastHeard = Date.now();
  /** The last update, of which the next may be told as a patch. */
  private before: unknown = null;

  constructor(
    private readonly path: string,
    private readonly listener: Listener,
    private readonly signal: AbortSignal,
  ) {}

  /** Stay as long as possible; returns the code that closed it, null if the connection was just lost. */
  async stay(): Promise<Closed | null> {
    const watch = setInterval(() => this.leaveIfSilent(SILENCE_MS), 5000);
    const waking = onWaking(() => this.leaveIfSilent(SILENCE_ON_WAKING_MS));
    try {
      return await this.connected();
    } catch {
      return null;
    } finally {
      clearInterval(watch);
      waking();
      this.leaving.abort();
      // A hand that is covered now must not stay in memory.
      this.before = null;
    }
  }

  private leaveIfSilent(limit: number): void {
    if (Date.now() - this.lastHeard > limit) this.leaving.abort();
  }

  private async connected(): Promise<Closed | null> {
    const place = this.listener.place();
    const answer = await send(this.path, {
      headers: {
        Accept: "text/event-stream",
        Prefer: "patches, compact=1",
        ...(place === null ? {} : { "Last-Event-ID": formatPlace(place) }),
      },
      cache: "no-store",
      signal: AbortSignal.any([this.signal, this.leaving.signal]),
    });
    if (!answer.ok) {
      const refusal = await refusalOf(answer);
      this.retry = (refusal.retryAfter ?? 1) * 1000;
      return PASSING.includes(refusal.status) ? "restart" : refusal.code;
    }
    this.listener.connection("live");
    return answer.body === null ? null : this.read(answer.body.getReader());
  }

  private async read(body: ReadableStreamDefaultReader<Uint8Array>): Promise<Closed | null> {
    for (;;) {
      const { done, value } = await body.read();
      if (done) return null;
      this.lastHeard = Date.now();
      this.heard = true;
      this.listener.beat();
      const events = this.reader.feed(value);
      this.retry = this.reader.retry ?? this.retry;
      for (const event of events) {
        if (event.name === "closed") return codeOf(event.data);
        this.listener.tell(this.whole(event));
      }
    }
  }

  /** An event with its update told whole. */
  private whole(event: StreamEvent): StreamEvent {
    if (event.name === "update") this.before = JSON.parse(event.data);
    else if (event.name === "patch") this.before = patched(this.before, JSON.parse(event.data) as Edit);
    else return event;
    return { ...event, name: "update", data: JSON.stringify(expanded(this.before)) };
  }
}

function codeOf(data: string): Closed {
  return (JSON.parse(data) as { code?: string }).code ?? "internal";
}

/** Call back when the network or the reader comes back; returns a function that stops. */
export function onWaking(wake: () => void): () => void {
  const seen = (): void => {
    if (document.visibilityState === "visible") wake();
  };
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", seen);
  return () => {
    removeEventListener("online", wake);
    removeEventListener("pageshow", wake);
    document.removeEventListener("visibilitychange", seen);
  };
}

/** Wait, at most until the network or the reader comes back. */
export async function sleepOrWake(milliseconds: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController();
  const stop = onWaking(() => woken.abort());
  try {
    await sleep(milliseconds, AbortSignal.any([signal, woken.signal]));
  } catch {
    signal.throwIfAborted();
  } finally {
    stop();
  }
}
