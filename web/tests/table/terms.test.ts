/** Which terms a host may still change. */

import { describe, expect, it } from "vitest";
import type { Chair, Table } from "../../src/api/messages";
import { keepsTerms } from "../../src/table/terms";

const HOST = { seat: 0, kind: "person", is_host: true } as Chair;
const OPEN = { seat: 1, kind: "open" } as Chair;
const OTHER = { seat: 1, kind: "person", is_host: false } as Chair;

function table(rated: boolean, ...chairs: Chair[]): Table {
  return { rated, chairs } as Table;
}

describe("the terms of a table", () => {
  it("stay once somebody has sat down for a rated game", () => {
    expect(keepsTerms(table(true, HOST, OTHER))).toBe(true);
  });

  it("may change while the host is alone, or nothing counts", () => {
    expect(keepsTerms(table(true, HOST, OPEN))).toBe(false);
    expect(keepsTerms(table(false, HOST, OTHER))).toBe(false);
  });
});
