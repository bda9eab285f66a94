import { afterEach, expect, test, vi } from "vitest";

const ANNE = { id: "019a4b1c-7d2e-7123-8abc-0123456789ab", name: "Anne", is_guest: true };

/** A service that says so to everybody who asks, and the paths that were asked. */
async function knownAs(me: typeof ANNE | null): Promise<{ paths: string[]; whoAmI: () => Promise<unknown> }> {
  const paths: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    paths.push(path);
    return Promise.resolve(Response.json({ me }));
  });
  vi.resetModules();
  return { paths, ...(await import("../../src/shell/me.svelte")) };
}

afterEach(() => vi.unstubAllGlobals());

test("a visitor without a session is nobody, and is asked about once", async () => {
  const { paths, whoAmI } = await knownAs(null);
  expect(await Promise.all([whoAmI(), whoAmI()])).toEqual([null, null]);
  expect(paths).toEqual(["/api/session"]);
});

test("a session says whose it is", async () => {
  const { whoAmI } = await knownAs(ANNE);
  expect(await whoAmI()).toEqual(ANNE);
});
