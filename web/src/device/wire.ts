/** What pages and the worker that plays on this device say to each other. */

/** The channel on which the worker listens. */
export const ASKING = "cartagena.device";
/** The channel on which it tells all pages how it is. */
export const TELLING = "cartagena.device.state";
/** Held by the page that looks after the worker: there is one worker for all pages of the site. */
export const LEADER_LOCK = "cartagena.device.keeper";
/** Held by the worker as long as it lives, however it ends. */
export const WORKER_LOCK = "cartagena.device.worker";
/** Held by a worker that answers: a game on this device can begin at once. */
export const READY_LOCK = "cartagena.device.ready";

/** The channel on which one page listens: what it asked for is told to no other. */
export function answersTo(page: string): string {
  return `${ASKING}.${page}`;
}

/** A request of a page; `id` tells its requests apart. */
export interface Asked {
  kind: "ask";
  page: string;
  id: number;
  method: string;
  path: string;
  body: string | null;
  /** The name of the person who sits down or opens a table. */
  name: string | null;
}

export interface Followed {
  kind: "follow";
  page: string;
  id: number;
  path: string;
}

/** A page stops following; of a page that is gone, everything. */
export interface Left {
  kind: "leave";
  page: string;
  id: number | null;
}

/** A page wants to hear how the worker is; pages of earlier releases, still open, know the message by this kind. */
export interface StateAsked {
  kind: "knock";
}

export type ToWorker = Asked | Followed | Left | StateAsked;

export type ToPage =
  | { kind: "answer"; id: number; status: number; type: string; body: string }
  | { kind: "piece"; id: number; text: string }
  | { kind: "end"; id: number };

/** How the worker is. It is called ready again by each new worker, which knows nothing of earlier requests. */
export type State =
  | { kind: "loading"; loaded: number; size: number }
  | { kind: "starting" }
  | { kind: "ready"; worker: string }
  | { kind: "failed"; reason: Failure };

/** Why there is no worker: its parts cannot be fetched, or what they are does not run here. */
export type Failure = "fetching" | "running" | "unsafe";
