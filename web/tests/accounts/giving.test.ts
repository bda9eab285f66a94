/** Giving games away: a consent is never more, or less, than what the reader chose. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Giving } from "../../src/accounts/giving.svelte";
import { me } from "../../src/shell/me.svelte";

const sent: string[] = [];
let answer: (response: Response) => void;

const standing = (): boolean => me()?.open_data ?? false;
const known = (openData: boolean): Response => Response.json({ name: "Anne", open_data: openData });

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("location", new URL("http://club.example"));
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    sent.push(body);
    return new Promise<Response>((resolve) => (answer = resolve));
  });
});

afterEach(() => vi.unstubAllGlobals());

test("the service is told what the box says", async () => {
  for (const checked of [true, false]) {
    const box = { checked };
    const given = new Giving().choose(box, standing);
    answer(known(checked));
    await given;
    expect([sent.at(-1), box.checked]).toEqual([`{"open_data":${checked}}`, checked]);
  }
});

test("a box that another device has changed meanwhile is told as it is here", async () => {
  // The reader saw an empty box and checked it, although the account had agreed elsewhere.
  const box = { checked: true };
  const given = new Giving().choose(box, () => true);
  answer(known(true));
  await given;
  expect(sent).toEqual(['{"open_data":true}']);
});

test("a box goes back if the service refuses", async () => {
  const giving = new Giving();
  const box = { checked: true };
  const given = giving.choose(box, () => false);
  answer(Response.json({ error: { code: "forbidden", message: "" } }, { status: 403 }));
  await given;
  expect(box.checked).toBe(false);
  expect(giving.problem).not.toBe("");
});

test("a second click waits for the first, and the box says so", async () => {
  const giving = new Giving();
  const box = { checked: true };
  const first = giving.choose(box, standing);
  expect(giving.isBusy).toBe(true);
  box.checked = false;
  await giving.choose(box, standing);
  expect(sent).toHaveLength(1);
  answer(known(true));
  await first;
  expect([box.checked, standing(), giving.isBusy]).toEqual([true, true, false]);
});
