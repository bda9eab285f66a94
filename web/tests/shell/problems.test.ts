import { afterEach, describe, expect, it, vi } from "vitest";
import { refusalOf } from "../../src/api/service";
import { problemText } from "../../src/shell/problems";

describe("a page at another address than the service knows", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("says which one to open", async () => {
    vi.stubGlobal("location", new URL("http://localhost:8001/table/1"));
    const error = { code: "wrong_origin", message: "", home: "http://localhost:8000" };
    const refusal = await refusalOf(new Response(JSON.stringify({ error }), { status: 403 }));
    expect(problemText(refusal)).toContain("Open http://localhost:8000 instead.");
  });

  it("sends nobody to their own machine", async () => {
    vi.stubGlobal("location", new URL("http://192.168.1.7:8000/table/1"));
    const error = { code: "wrong_origin", message: "", home: "http://localhost:8000" };
    const refusal = await refusalOf(new Response(JSON.stringify({ error }), { status: 403 }));
    expect(problemText(refusal)).toContain("set CARTAGENA_URL to http://192.168.1.7:8000");
    expect(problemText(refusal)).not.toContain("localhost");
  });
});
