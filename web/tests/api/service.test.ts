/** Requests: which are repeated with their key, and which are not. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, newKey, pauseOf, ServiceRefusal } from "../../src/api/service";

const sent: RequestInit[] = [];
let answers: (Response | Error)[] = [];

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** The outcome of a request, with all pauses skipped. */
async function outcome(asked: Promise<unknown>): Promise<unknown> {
  const settled = asked.catch((problem: unknown) => problem);
  await vi.runAllTimersAsync();
  return settled;
}

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  vi.stubGlobal("fetch", (_: string, asked: RequestInit) => {
    sent.push(asked);
    const next = answers.shift() ?? new Error("no answer prepared");
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("asking", () => {
  it("sends a move again with the same body when no answer came", async () => {
    answers = [
      new TypeError("gone"),
      json(503, { error: { code: "unavailable", message: "" } }),
      json(200, { seq: 5 }),
    ];
    expect(await outcome(ask("POST", "/x", { seq: 4, key: "k" }))).toEqual({ seq: 5 });
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill('{"seq":4,"key":"k"}'));
  });

  it("sends what has no key only once", async () => {
    answers = [new TypeError("gone")];
    const problem = (await outcome(ask("POST", "/x", { name: "Anne" }))) as ServiceRefusal;
    expect([problem.status, problem.code, sent.length]).toEqual([0, "no_answer", 1]);
  });

  it("tells a refusal with everything it says, and does not insist", async () => {
    answers = [json(409, { error: { code: "stale", message: "at 5" }, current: { seq: 5 } })];
    const problem = (await outcome(ask("POST", "/x", { key: "k" }))) as ServiceRefusal;
    expect(problem).toBeInstanceOf(ServiceRefusal);
    expect([problem.status, problem.code, problem.current?.seq, sent.length]).toEqual([409, "stale", 5, 1]);
  });

  it("waits as long as it is told, unless that is too long", async () => {
    const busy = { error: { code: "too_many", message: "", retry_after: 2 } };
    answers = [json(429, busy), json(200, 1)];
    expect(await outcome(ask("GET", "/x"))).toBe(1);
    answers = [json(429, { error: { ...busy.error, retry_after: 600 } })];
    const problem = (await outcome(ask("GET", "/x"))) as ServiceRefusal;
    expect([problem.code, problem.retryAfter]).toEqual(["too_many", 600]);
  });

  it("gives up after a few tries, or never if it is told so", async () => {
    answers = Array<Error>(4).fill(new TypeError("gone"));
    expect(((await outcome(ask("GET", "/x"))) as ServiceRefusal).code).toBe("no_answer");
    answers = [...Array<Error>(20).fill(new TypeError("gone")), json(200, "at last")];
    expect(await outcome(ask("GET", "/x", undefined, { tries: Infinity }))).toBe("at last");
  });

  it("does not insist for ever on what breaks the service", async () => {
    const broken = { error: { code: "internal", message: "" } };
    answers = Array.from({ length: 9 }, () => json(500, broken));
    const problem = (await outcome(ask("POST", "/x", { key: "k" }, { tries: Infinity }))) as ServiceRefusal;
    expect([problem.code, sent.length]).toEqual(["internal", 4]);
  });

  it("stops when the page is left", async () => {
    const leaving = new AbortController();
    answers = [new TypeError("gone"), json(200, 1)];
    const asked = ask("GET", "/x", undefined, { signal: leaving.signal });
    leaving.abort();
    expect(((await outcome(asked)) as Error).name).toBe("AbortError");
  });

  it("reads a record as text", async () => {
    answers = [new Response("First: red", { headers: { "Content-Type": "text/plain" } })];
    expect(await outcome(ask("GET", "/record"))).toBe("First: red");
  });

  it("understands a refusal by somebody before the service", async () => {
    answers = [new Response("<html>", { status: 404, statusText: "Not Found" })];
    expect(((await outcome(ask("GET", "/x"))) as ServiceRefusal).code).toBe("internal");
  });
});

describe("keys and pauses", () => {
  it("makes a UUID that nobody made before", () => {
    expect(newKey()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(newKey()).not.toBe(newKey());
  });

  it("grow to five seconds", () => {
    expect([1, 2, 3, 30].map((failures) => pauseOf(failures, 1))).toEqual([300, 600, 1200, 5000]);
  });
});
