/** Addresses and the pages they mean. */

import { expect, test } from "vitest";
import { found } from "../../src/shell/routes";

test.each([
  ["/", "home", {}],
  ["/open", "open", {}],
  ["/table/01a1", "table", { id: "01a1" }],
  ["/table/01a1/", "table", { id: "01a1" }],
  ["/replay/01a1", "replay", { id: "01a1" }],
  ["/learn", "learn", {}],
  ["/learn/first-steps", "lesson", { name: "first-steps" }],
  ["/rules", "rulebook", {}],
  ["/player/7", "player", { id: "7" }],
  ["/sign-in", "signIn", {}],
  ["/table", "notFound", {}],
  ["/table/1/2", "notFound", {}],
  ["/nowhere", "notFound", {}],
])("%s is the page %s", (path, page, props) => {
  expect(found(path)).toEqual({ page, props });
});

test("the rulebook is told which rule the fragment names", () => {
  expect(found("/rules/nest", "#R12.4")).toEqual({
    page: "rulebook",
    props: { family: "nest", rule: "R12.4" },
  });
});

test("an address that cannot be decoded is taken as it is", () => {
  expect(found("/player/%E0%A4%A").props).toEqual({ id: "%E0%A4%A" });
});
