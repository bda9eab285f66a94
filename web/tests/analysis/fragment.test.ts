import { expect, test } from "vitest";
import { fragmentOf, holdsGame, LONGEST_LINK, LONGEST_TEXT, readFragment } from "../../src/analysis/fragment";

const TEXT = `Cartagena record 1\nDeal: ${"bottle pistol hat ".repeat(30)}\n# line 3 14 "Zurück"\n`;

test("a game comes out of a link as it went in", async () => {
  const game = { text: TEXT, line: 2, at: 35 };
  const hash = (await fragmentOf(game)) ?? "";
  expect(hash).toMatch(/^#game=[\w-]+&line=2&at=35$/);
  expect(hash.length).toBeLessThan(TEXT.length);
  expect(holdsGame(hash)).toBe(true);
  expect(await readFragment(hash)).toEqual(game);
  const plain = (await fragmentOf({ text: TEXT, line: 0, at: null })) ?? "";
  expect(await readFragment(plain)).toEqual({ text: TEXT, line: 0, at: null });
});

test("other fragments, and links that were cut, hold no game", async () => {
  const hash = (await fragmentOf({ text: TEXT, line: 0, at: 1 })) ?? "";
  for (const other of ["", "#main", "#t20.2", "#at=3"]) expect(holdsGame(other), other).toBe(false);
  for (const cut of [hash.slice(0, 40), "#game=", "#game=***", `${hash.slice(0, 60)}&line=x`])
    expect(await readFragment(cut), cut).toBeNull();
});

test("a game that is too long is no link", async () => {
  const noise = Array.from({ length: 40_000 }, (_, index) => ((index * 7919) % 104_729).toString(36)).join(
    "",
  );
  expect(await fragmentOf({ text: noise, line: 0, at: null })).toBeNull();
  expect(LONGEST_LINK).toBeLessThan(noise.length);
});

test("a small fragment cannot fill the memory", async () => {
  const longest = "a".repeat(LONGEST_TEXT);
  const hash = (await fragmentOf({ text: longest, line: 0, at: null })) ?? "";
  expect((await readFragment(hash))?.text).toBe(longest);
  expect(await fragmentOf({ text: `${longest}a`, line: 0, at: null })).toBeNull();
  expect(await readFragment(await packed(`${longest}a`))).toBeNull();
});

/** A link that this program would not make. */
async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = await new Response(stream).bytes();
  return `#game=${Buffer.from(bytes).toString("base64url")}`;
}
