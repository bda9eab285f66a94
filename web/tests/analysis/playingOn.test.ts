/** Playing on from the analysis board: where that can be, and what the service is asked. */

import { afterEach, expect, test, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("location", { pathname: "/", search: "", hash: "", origin: "" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});
const { placesFor, playOnAt } = await import("../../src/analysis/playingOn");
const { forget } = await import("../../src/shell/me.svelte");

/** A page of a site with this mark in its first tag. */
function page(service: string | undefined): void {
  vi.stubGlobal("document", { documentElement: { dataset: { service } } });
}

afterEach(() => vi.unstubAllGlobals());

test("where a service answers, the game can go on there or on the device", () => {
  page(undefined);
  expect(placesFor("Cartagena record 1")).toEqual(["device", "service"]);
});

test("a site of files alone offers nothing but the device", () => {
  page("none");
  expect(placesFor("Cartagena record 1")).toEqual(["device"]);
});

test("a record that the service does not take goes on on the device", () => {
  page(undefined);
  expect(placesFor("#".repeat(30_001))).toEqual(["device"]);
});

test("a visitor becomes a guest of the service, which is asked with the record and who plays each seat", async () => {
  forget();
  const sent: [string, string, unknown][] = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    sent.push([method ?? "", path, body === undefined ? null : JSON.parse(body as string)]);
    const told = path === "/api/guest" ? { me: { id: "p", name: "Anne", is_guest: true } } : { id: "t" };
    return Promise.resolve(Response.json(told));
  });
  expect(await playOnAt("service", "the record", ["sailor", null], ["Anne", "Bart"])).toBe("t");
  expect(sent).toEqual([
    ["POST", "/api/guest", {}],
    [
      "POST",
      "/api/tables/from-record",
      { key: expect.any(String) as string, record: "the record", levels: ["sailor", null] },
    ],
  ]);
});
