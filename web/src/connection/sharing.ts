/**
 * Tabs of one browser share one stream for each table: one leads and passes on what it hears, the others listen.
 *
 * The lead is a Web Lock, so it is free as soon as its tab is gone. Where there are no locks (plain http on
 * another host) each tab leads for itself.
 */

import type { ChatLine, Presence } from "../api/messages";
import { sleep } from "../api/service";
import { sleepOrWake, type Connection } from "./eventStream";
import type { StreamEvent } from "./frames";
import type { Told } from "./history";

/** A leader that has been silent for this long is frozen; another tab takes its place. */
const SILENCE_MS = 70_000;
/** A browser opens six connections to a host over HTTP/1.1; the rest is left to requests and the lobby. */
const STREAMS_AT_ONCE = 4;

/** What the tabs at one table tell each other. */
export type Passed =
  | { kind: "event"; event: StreamEvent }
  | { kind: "state"; connection: Connection }
  | { kind: "hello" }
  | { kind: "so far"; history: readonly Told[]; chat: readonly ChatLine[]; presence?: Presence | null };

/** Leads until the signal is aborted. */
export type Lead = (signal: AbortSignal) => Promise<void>;

/** The tabs that show one thing to one player. `Message` is what they tell each other. */
export class Tabs<Message> {
  private readonly channel: BroadcastChannel;
  private lastHeard = Date.now();

  constructor(
    private readonly name: string,
    hear: (message: Message) => void,
    private readonly signal: AbortSignal,
  ) {
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      this.lastHeard = Date.now();
      hear(data);
    };
    signal.addEventListener("abort", () => this.channel.close(), { once: true });
  }

  /** Tell all other tabs. */
  post(message: Message): void {
    // Without locks every tab listens for itself.
    if (!this.signal.aborted && "locks" in navigator) this.channel.postMessage(message);
  }

  /** Take the lead whenever it is free, until `lead` returns or the signal is aborted. */
  async lead(lead: Lead): Promise<void> {
    if (!("locks" in navigator)) return lead(this.signal);
    let isDone = false;
    while (!isDone && !this.signal.aborted) isDone = await this.leadOnce(lead).catch(() => false);
  }

  /** True if `lead` finished; false if the lead was lost. */
  private async leadOnce(lead: Lead): Promise<boolean> {
    const waiting = new AbortController();
    const leading = new AbortController();
    const signal = AbortSignal.any([this.signal, leading.signal]);
    const until = AbortSignal.any([this.signal, waiting.signal]);
    const work = async (): Promise<boolean> => {
      clearInterval(watch);
      await lead(signal);
      return true;
    };
    const watch = setInterval(() => {
      if (Date.now() - this.lastHeard > SILENCE_MS) waiting.abort();
    }, 10_000);
    try {
      return await navigator.locks.request(this.name, { signal: until }, work);
    } catch {
      // Either the leader is frozen, or another tab took the lead from us because we seemed frozen.
      if (!waiting.signal.aborted) return false;
      return await navigator.locks.request(this.name, { steal: true }, work);
    } finally {
      clearInterval(watch);
      this.lastHeard = Date.now();
      leading.abort();
    }
  }
}

const ROOM_WANTED = "cartagena.streams";

/**
 * Hold one of the few connections for streams while `stay` runs, and run `lookIn` now and then without one.
 *
 * A hidden tab gives its connection up to a visible one. `stay` returns what ended it, or null if it was
 * asked to make room; this function returns what ended it.
 */
export async function withRoom(
  stay: (signal: AbortSignal) => Promise<string | null>,
  lookIn: () => Promise<string | null>,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const ended = (await inARoom((asked) => stay(AbortSignal.any([signal, asked])))) ?? (await lookIn());
    signal.throwIfAborted();
    if (ended !== null) return ended;
    await sleepOrWake(document.hidden ? 15_000 : 3000, signal);
  }
}

async function inARoom(stay: (asked: AbortSignal) => Promise<string | null>): Promise<string | null> {
  const asked = new AbortController();
  const stop = giveRoomWhenAsked(asked);
  const staying = async (): Promise<string | null> => {
    try {
      return await stay(asked.signal);
    } catch (problem) {
      if (asked.signal.aborted) return null;
      throw problem;
    }
  };
  try {
    if (connectionsAreMany()) return await staying();
    if (!("locks" in navigator)) return document.hidden ? null : await staying();
    return await inFirstFree(staying);
  } finally {
    stop();
  }
}

async function inFirstFree(staying: () => Promise<string | null>): Promise<string | null> {
  for (let room = 0; room < STREAMS_AT_ONCE; room++) {
    const name = `${ROOM_WANTED}.${room}`;
    const stayed = await navigator.locks.request(name, { ifAvailable: true }, async (lock) =>
      lock === null ? null : { ended: await staying() },
    );
    if (stayed !== null) return stayed.ended;
  }
  if (!document.hidden) askForRoom();
  return null;
}

function askForRoom(): void {
  const channel = new BroadcastChannel(ROOM_WANTED);
  channel.postMessage("room");
  channel.close();
}

/** A hidden tab makes room when asked; without locks no tab can ask, so it does so after a while. */
function giveRoomWhenAsked(asked: AbortController): () => void {
  const channel = new BroadcastChannel(ROOM_WANTED);
  channel.onmessage = () => {
    if (document.hidden) asked.abort();
  };
  const done = new AbortController();
  const hide = async (): Promise<void> => {
    await sleep(60_000, done.signal);
    if (document.hidden) asked.abort();
  };
  const hidden = (): void => {
    if (document.hidden && !("locks" in navigator)) void hide().catch(() => undefined);
  };
  document.addEventListener("visibilitychange", hidden);
  return () => {
    done.abort();
    channel.close();
    document.removeEventListener("visibilitychange", hidden);
  };
}

/** From HTTP/2 on, all streams share one connection. */
function connectionsAreMany(): boolean {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? "");
}
