import { describe, expect, it } from "vitest";
import { refusalOf } from "../../src/api/service";
import { problemText } from "../../src/shell/problems";

describe("a page at another address than the service knows", () => {
  it("says which one to open", async () => {
    const error = { code: "wrong_origin", message: "", home: "http://localhost:8000" };
    const refusal = await refusalOf(new Response(JSON.stringify({ error }), { status: 403 }));
    expect(problemText(refusal)).toContain("Open http://localhost:8000 instead.");
  });
});
