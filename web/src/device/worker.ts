/**
 * The worker that plays on this device: Python, the log of its tables, and the requests of all pages.
 *
 * Whatever is done is kept in the log before anybody is told of it. If that fails the worker ends, and the next one
 * starts from the log.
 */

import { Journal } from "./journal";
import { fetchAll, fetchParts } from "./parts";
import { startPython, type WorkerBridge } from "./python";
import { answersTo, ASKING, WORKER_LOCK, READY_LOCK, TELLING } from "./wire";
import type { Asked, Failure, Followed, Left, State, ToPage, ToWorker } from "./wire";

const BEAT_MS = 15_000;
/** A comment in the format of streams: it only shows that somebody is there. */
const BEAT = ": \n\n";

const asking = new BroadcastChannel(ASKING);
const telling = new BroadcastChannel(TELLING);
/** The channels of the pages that have asked for something. */
const pages = new Map<string, BroadcastChannel>();
/** The streams that pages follow, by page and number. */
const followed = new Map<string, Followed>();

let state: State = { kind: "loading", loaded: 0, size: 0 };

asking.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "knock") telling.postMessage(state);
};
hold(WORKER_LOCK, () => postMessage("alive"));
void start();

async function start(): Promise<void> {
  let failure: Failure = "fetching";
  try {
    const parts = await fetchParts();
    await fetchAll(parts, (loaded, size) => tell({ kind: "loading", loaded, size }));
    failure = "running";
    tell({ kind: "starting" });
    const { journal, lines } = await Journal.open();
    const bridge = await startPython(parts, lines, (line) => journal.append(line).catch(end));
    asking.onmessage = ({ data }: MessageEvent<ToWorker>) => serve(bridge, data);
    setInterval(beat, BEAT_MS);
    hold(READY_LOCK, () => tell({ kind: "ready", worker: crypto.randomUUID() }));
  } catch (problem) {
    console.error(problem);
    tell({ kind: "failed", reason: failure });
  }
}

/** Hold a lock until the worker ends; the browser gives it back however that happens. */
function hold(lock: string, then: () => void): void {
  void navigator.locks.request(lock, () => {
    then();
    return new Promise(() => undefined);
  });
}

function beat(): void {
  for (const each of followed.values()) post(each, { kind: "piece", id: each.id, text: BEAT });
}

function serve(bridge: WorkerBridge, asked: ToWorker): void {
  switch (asked.kind) {
    case "ask": {
      const { method, path, body, name } = asked;
      bridge.answer(method, path, body ?? undefined, name ?? undefined, replyTo(asked));
      return;
    }
    case "follow":
      follow(bridge, asked);
      return;
    case "leave":
      leave(bridge, asked);
      return;
    case "knock":
      telling.postMessage(state);
  }
}

function follow(bridge: WorkerBridge, asked: Followed): void {
  const { page, id } = asked;
  const key = `${page} ${id}`;
  followed.set(key, asked);
  bridge.follow(
    key,
    asked.path,
    replyTo(asked),
    (text) => post(asked, { kind: "piece", id, text }),
    () => {
      followed.delete(key);
      post(asked, { kind: "end", id });
    },
  );
}

function leave(bridge: WorkerBridge, left: Left): void {
  for (const [key, { page, id }] of followed) {
    if (page !== left.page || (left.id !== null && id !== left.id)) continue;
    followed.delete(key);
    bridge.leave(key);
  }
  if (left.id !== null) return;
  pages.get(left.page)?.close();
  pages.delete(left.page);
}

function replyTo(asked: Asked | Followed): (status: number, type: string, body: string) => void {
  return (status, type, body) => post(asked, { kind: "answer", id: asked.id, status, type, body });
}

function post({ page }: Asked | Followed, message: ToPage): void {
  let channel = pages.get(page);
  if (channel === undefined) pages.set(page, (channel = new BroadcastChannel(answersTo(page))));
  channel.postMessage(message);
}

function tell(now: State): void {
  state = now;
  telling.postMessage(now);
}

/** Nothing can be kept, or somebody else writes the log: to go on, a new worker is needed. */
function end(problem: unknown): never {
  console.error(problem);
  close();
  throw problem;
}
