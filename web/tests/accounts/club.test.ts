import { describe, expect, it } from "vitest";
import { clubAddress, clubProblem } from "../../src/accounts/signin/club";

describe("the club's own provider", () => {
  it("is gone to by an address that names the page to come back to", () => {
    expect(clubAddress("/", false)).toBe("/api/sign-in/club?back=%2F");
    expect(clubAddress("/account", true)).toBe("/api/sign-in/club?back=%2Faccount&joins=true");
  });

  it("tells what went wrong by a code that has words, whatever is typed there", () => {
    expect(clubProblem(new URLSearchParams(""))).toBeNull();
    expect(clubProblem(new URLSearchParams("club=name_taken"))).toBe("name_taken");
    expect(clubProblem(new URLSearchParams("club=<b>"))).toBe("wrong_proof");
  });
});
