/** A game in the fragment of an address, which never leaves the browser: `#game=...&line=1&at=35`. */

import { bytesOf, textOf } from "../api/base64url";

/** Longer links are cut by some messengers, so a longer game is shared as a file. */
export const LONGEST_LINK = 16_000;
/** No game is this long, nor opened: a small fragment must not fill the memory when it is unpacked. */
export const LONGEST_TEXT = 100_000;

/** What an address tells: a text, which of its lines is shown, and after how many actions. */
export interface Fragment {
  text: string;
  line: number;
  at: number | null;
}

/** The fragment with its `#`; null if it would be too long for a link. */
export async function fragmentOf({ text, line, at }: Fragment): Promise<string | null> {
  if (text.length > LONGEST_TEXT) return null;
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const asked = new URLSearchParams({ game: textOf(packed) });
  if (line !== 0) asked.set("line", String(line));
  if (at !== null) asked.set("at", String(at));
  const fragment = `#${asked}`;
  return fragment.length > LONGEST_LINK ? null : fragment;
}

/** Whether a fragment holds a game. */
export function holdsGame(hash: string): boolean {
  return new URLSearchParams(hash.slice(1)).has("game");
}

/** What a fragment holds; null if it was cut, or is none of ours. */
export async function readFragment(hash: string): Promise<Fragment | null> {
  const asked = new URLSearchParams(hash.slice(1));
  try {
    const packed = bytesOf(asked.get("game") ?? "");
    const bytes = await through(new DecompressionStream("deflate-raw"), packed);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, line: numberIn(asked, "line") ?? 0, at: numberIn(asked, "at") };
  } catch {
    return null;
  }
}

function numberIn(asked: URLSearchParams, key: string): number | null {
  const value = asked.get(key) ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) : null;
}

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let piece = await reader.read(); piece.value !== undefined; piece = await reader.read()) {
    pieces.push(piece.value);
    length += piece.value.byteLength;
    if (length > LONGEST_TEXT) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
