/** Requests to the service: the answer or refusal, and what may be sent again. */

import type { Problem, Update } from "./messages";
import { send, type Send } from "./transport";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How patiently a request is made. */
export interface Patience {
  /** How often it is sent at most; a move is sent until an answer comes. */
  tries?: number;
  /** Stops asking, for instance when the page is left. */
  signal?: AbortSignal;
  /** How it is sent, where the path does not tell. */
  by?: Send;
  /** What the answer should be like (RFC 7240). */
  prefer?: string;
}

const USUAL_TRIES = 4;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5000;
/** If the service asks for a longer wait than this, the request fails instead of waiting. */
const OBEDIENCE_MS = 10_000;
const ANSWER_WITHIN_MS = 20_000;
const TOO_MANY = 429;
/** What the service, or a proxy in front of it, answers while it is down. */
const AWAY: readonly number[] = [502, 503, 504];

/** What the service refuses. No answer at all has the status 0 and the code `no_answer`. */
export class ServiceRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly rule: string | null = null,
    /** Seconds to wait before asking again. */
    readonly retryAfter: number | null = null,
    /** The current state of the table, as this player's own update. */
    readonly current: Update | null = null,
    /** The address at which to open the service, for a page that was opened at another. */
    readonly home: string | null = null,
  ) {
    super(message);
    this.name = "ServiceRefusal";
  }
}

/** The code of a refusal; any other problem is ours. */
export function codeOf(problem: unknown): string {
  return problem instanceof ServiceRefusal ? problem.code : "internal";
}

/** The code of a refusal about a table: an address that was never given out names no table either. */
export function codeAtTable(code: string): string {
  return code === "no_such_thing" ? "no_such_table" : code;
}

/** A name for a request: the key makes it one request, however often it is sent. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // `crypto.randomUUID` is missing on plain http; the two marks make these bytes a UUID of version 4.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = hexOf(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Bytes as lower-case hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Ask the service; returns the answer or throws a ServiceRefusal.
 *
 * A request that only reads or has a key is repeated as it is when no answer comes or the service is away.
 * Anything else is sent once, because the page could not tell whether it was done.
 */
export async function ask<T>(
  method: Method,
  path: string,
  body?: object,
  patience: Patience = {},
): Promise<T> {
  const tries = isRepeatable(method, body) ? (patience.tries ?? USUAL_TRIES) : 1;
  for (let failures = 1; ; failures++) {
    try {
      return (await sent(method, path, body, patience)) as T;
    } catch (problem) {
      patience.signal?.throwIfAborted();
      const pause = failures < tries ? pauseAfter(problem, failures) : null;
      if (pause === null) throw problem;
      await sleep(pause, patience.signal);
    }
  }
}

function isRepeatable(method: Method, body?: object): boolean {
  return method === "GET" || (body !== undefined && "key" in body);
}

/** Wait; rejects if the signal is aborted meanwhile. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** How long to wait after `failures` failures in a row: doubled each time, half of it random. */
export function pauseOf(failures: number, chance = Math.random()): number {
  const whole = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), LONGEST_PAUSE_MS);
  return (whole * (1 + chance)) / 2;
}

/** The refusal that an answer means, even if a proxy gave it. */
export async function refusalOf(answer: Response): Promise<ServiceRefusal> {
  const told = (await answer.json().catch(() => null)) as { error?: Problem; current?: Update } | null;
  const header = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  const problem = told?.error ?? { code: "internal", message: answer.statusText };
  const retryAfter = problem.retry_after ?? (Number.isFinite(header) ? header : null);
  return new ServiceRefusal(
    answer.status,
    problem.code,
    problem.message,
    problem.rule ?? null,
    retryAfter,
    told?.current ?? null,
    problem.home ?? null,
  );
}

async function sent(
  method: Method,
  path: string,
  body: object | undefined,
  { signal, by = send, prefer }: Patience,
): Promise<unknown> {
  const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const asked: RequestInit = { method, signal: signal ? AbortSignal.any([signal, limit]) : limit };
  const headers = new Headers();
  if (prefer !== undefined) headers.set("Prefer", prefer);
  if (body !== undefined) {
    asked.body = JSON.stringify(body);
    headers.set("Content-Type", "application/json");
  }
  asked.headers = headers;
  try {
    const answer = await by(path, asked);
    if (!answer.ok) throw await refusalOf(answer);
    return await contentOf(answer);
  } catch (problem) {
    if (problem instanceof ServiceRefusal) throw problem;
    throw new ServiceRefusal(0, "no_answer", String(problem));
  }
}

async function contentOf(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined;
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return isJson ? answer.json() : answer.text();
}

function pauseAfter(problem: unknown, failures: number): number | null {
  if (!(problem instanceof ServiceRefusal) || !mayHelp(problem, failures)) return null;
  const wished = (problem.retryAfter ?? 0) * 1000;
  return wished > OBEDIENCE_MS ? null : Math.max(wished, pauseOf(failures));
}

/** Whether sending the request again may get another answer. */
function mayHelp({ status }: ServiceRefusal, failures: number): boolean {
  if (status === 0 || status === TOO_MANY || AWAY.includes(status)) return true;
  // An error in the service: another node may answer, but do not insist for ever.
  return status >= 500 && failures < USUAL_TRIES;
}
