/** This device as a place to play at: requests go to one worker for all pages of the site. */

import { sleep } from "../api/service";
import { Shown } from "./shown.svelte";
import {
  answersTo,
  ASKING,
  LEADER_LOCK,
  WORKER_LOCK,
  TELLING,
  type State,
  type ToPage,
  type ToWorker,
} from "./wire";

/** A request that has no answer yet; a new worker is asked again. */
interface Waiting {
  asked: ToWorker;
  resolve: (answer: Response) => void;
}

const ENCODER = new TextEncoder();
/** A worker that ends sooner than this did not get far; one that does so again and again is given up. */
const SHORT_LIFE_MS = 10_000;
const MOST_SHORT_LIVES = 3;
/** A browser may have been told to run no service worker. */
const WATCHED_WITHIN_MS = 3000;

export class Device {
  private readonly shown = new Shown();
  private readonly page = crypto.randomUUID();
  private readonly asking = new BroadcastChannel(ASKING);
  private readonly waiting = new Map<number, Waiting>();
  private readonly streams = new Map<number, ReadableStreamDefaultController<Uint8Array>>();
  private last = 0;
  private worker: string | null = null;

  constructor() {
    new BroadcastChannel(answersTo(this.page)).onmessage = ({ data }: MessageEvent<ToPage>) =>
      this.hear(data);
    new BroadcastChannel(TELLING).onmessage = ({ data }: MessageEvent<State>) => this.become(data);
    addEventListener("pagehide", () => this.post({ kind: "leave", page: this.page, id: null }));
    void this.keep();
    this.askState();
  }

  private askState(): void {
    this.post({ kind: "knock" });
  }

  /** How the worker is; a component that reads it is redrawn when it changes. */
  get state(): State | null {
    return this.shown.state;
  }

  /** Send a request as one sends it to the service. */
  fetch(
    path: string,
    { method = "GET", body, headers, signal }: RequestInit,
    name?: string,
  ): Promise<Response> {
    const id = ++this.last;
    const asking = new Headers(headers);
    const isStream = asking.get("Accept") === "text/event-stream";
    const text = typeof body === "string" ? body : null;
    const asked: ToWorker = isStream
      ? { kind: "follow", page: this.page, id, path: from(path, asking.get("Last-Event-ID")) }
      : { kind: "ask", page: this.page, id, method, path, body: text, name: name ?? null };
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => {
        this.streams.get(id)?.error(signal.reason);
        this.forget(id);
        reject(signal.reason as Error);
      });
      this.waiting.set(id, { asked, resolve });
      if (this.state?.kind === "ready") this.post(asked);
    });
  }

  /** Try once more after a failure. */
  again(): void {
    if (this.state?.kind !== "failed") return;
    this.shown.state = null;
    void this.keep();
  }

  /** Look after the worker as long as this page lives, unless another page does so. */
  private async keep(): Promise<void> {
    await watched();
    await navigator.locks.request(LEADER_LOCK, async () => {
      for (let short = 0; short < MOST_SHORT_LIVES && this.state?.kind !== "failed";) {
        const begun = performance.now();
        await this.life();
        short = performance.now() - begun < SHORT_LIFE_MS ? short + 1 : 0;
      }
      this.become({ kind: "failed", reason: "running" });
    });
  }

  /** One life of a worker, from its start to its end, whatever the end was. */
  private async life(): Promise<void> {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const isAlive = await new Promise<boolean>((resolve) => {
      worker.onmessage = () => resolve(true);
      worker.onerror = () => resolve(false);
    });
    if (isAlive) await navigator.locks.request(WORKER_LOCK, () => undefined);
    else this.become({ kind: "failed", reason: "fetching" });
    worker.terminate();
  }

  private become(state: State): void {
    this.shown.state = state;
    if (state.kind !== "ready" || state.worker === this.worker) return;
    this.worker = state.worker;
    // It knows nothing of what the one before was asked; who followed that one comes back of itself.
    for (const controller of this.streams.values()) controller.error(new Error("the worker is another"));
    this.streams.clear();
    for (const { asked } of this.waiting.values()) this.post(asked);
  }

  private hear(told: ToPage): void {
    switch (told.kind) {
      case "answer":
        this.answer(told.id, told.status, told.type, told.body);
        return;
      case "piece":
        this.streams.get(told.id)?.enqueue(ENCODER.encode(told.text));
        return;
      case "end":
        this.streams.get(told.id)?.close();
        this.streams.delete(told.id);
    }
  }

  private answer(id: number, status: number, type: string, body: string): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    const isStream = waiting.asked.kind === "follow" && status === 200;
    const content = isStream ? this.stream(id) : status === 204 ? null : body;
    waiting.resolve(new Response(content, { status, headers: { "Content-Type": type } }));
  }

  private stream(id: number): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => void this.streams.set(id, controller),
      cancel: () => this.forget(id),
    });
  }

  private forget(id: number): void {
    const isFollowed = this.waiting.get(id)?.asked.kind === "follow" || this.streams.has(id);
    this.waiting.delete(id);
    this.streams.delete(id);
    if (isFollowed) this.post({ kind: "leave", page: this.page, id });
  }

  private post(message: ToWorker): void {
    this.asking.postMessage(message);
  }
}

/** The path of a stream that goes on after what was heard: a worker is told paths, and no headers. */
function from(path: string, last: string | null): string {
  return last === null ? path : `${path}${path.includes("?") ? "&" : "?"}last=${last}`;
}

/** What is fetched is kept by the service worker; on a first visit that takes a moment to begin its work. */
async function watched(): Promise<void> {
  if (!("serviceWorker" in navigator) || navigator.serviceWorker.controller !== null) return;
  const { serviceWorker } = navigator;
  await Promise.race([
    new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true })),
    sleep(WATCHED_WITHIN_MS),
  ]);
}

let device: Device | null = null;

/** The device; the first call starts its worker. */
export function theDevice(): Device {
  return (device ??= new Device());
}
