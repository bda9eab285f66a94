/** Failures of a page: what is reported to the service, and how often. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FailureReport } from "../../src/api/messages";
import { failureOf, guarded, reportFailure } from "../../src/shell/failures";

function broken(stack: string, name = "TypeError"): Error {
  const error = new Error("Anne holds a hat");
  error.name = name;
  error.stack = `${name}: Anne holds a hat\n${stack}`;
  return error;
}

describe("a report", () => {
  it("names the part, the kind of error and the places of the program, innermost first", () => {
    const error = broken(
      [
        "    at sentenceOf (https://cartagena.example/assets/TablePage-9fAx.js:1:20714)",
        "    at async Object.ask [as again] (https://cartagena.example/assets/index-Dk3f.js?v=2:3:7)",
        "    at https://cartagena.example/assets/index-Dk3f.js:9:1",
        "    at Array.map (<anonymous>)",
      ].join("\n"),
    );
    expect(failureOf("turn", error)).toMatchObject({
      where: "turn",
      error: "TypeError",
      stack: [
        "sentenceOf /assets/TablePage-9fAx.js:1:20714",
        "Object.ask [as again] /assets/index-Dk3f.js:3:7",
        "/assets/index-Dk3f.js:9:1",
      ],
    });
  });

  it("reads the stacks of other browsers too", () => {
    const error = broken(
      "draw@http://localhost:8000/assets/a.js:1:2\n@http://localhost:8000/assets/b.js:3:4",
    );
    expect(failureOf("log", error).stack).toEqual(["draw /assets/a.js:1:2", "/assets/b.js:3:4"]);
  });

  it("holds no words of the error and nothing behind a question mark", () => {
    const error = broken(
      "    at Anne's hat (https://cartagena.example/table/7?invite=AB12:1:1)",
      "Anne holds a hat",
    );
    const told = JSON.stringify(failureOf("board", error));
    expect(told).not.toMatch(/holds|invite|AB12|'/);
    expect(failureOf("board", error).error).toBe("Error");
  });

  it("is short, whatever was thrown", () => {
    const line = `    at ${"deep".repeat(90)} (https://cartagena.example/${"a/".repeat(200)}b.js:1:1)`;
    const { stack = [] } = failureOf("board", broken(Array(50).fill(line).join("\n")));
    expect(stack).toHaveLength(10);
    expect(Math.max(...stack.map(({ length }) => length))).toBeLessThan(160);
    expect(failureOf("board", "a text").stack).toEqual([]);
  });
});

describe("telling", () => {
  const sent: FailureReport[] = [];

  beforeEach(() => {
    sent.length = 0;
    vi.spyOn(console, "error").mockReturnValue(undefined);
    vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
      sent.push(JSON.parse(body as string) as FailureReport);
      return Promise.resolve(new Response(null, { status: 204 }));
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("goes to the console in full, and to the service once; what follows is done", () => {
    const error = new RangeError("Anne holds a hat");
    guarded("told", () => {
      throw error;
    });
    reportFailure("told", error);
    expect(vi.mocked(console.error).mock.calls).toEqual([[error], [error]]);
    expect(sent.map(({ where, error: name }) => [where, name])).toEqual([["told", "RangeError"]]);
  });

  it("stops after a few different failures", () => {
    for (let number = 0; number < 20; number++) {
      reportFailure("log", broken(`    at draw (https://cartagena.example/assets/a.js:${number}:1)`));
    }
    expect(sent.length).toBeLessThanOrEqual(5);
  });
});
