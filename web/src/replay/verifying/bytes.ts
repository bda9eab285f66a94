/** Bytes for the shuffle: hexadecimal digits and SHA-256. */

import { hexOf } from "../../api/service";

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** The bytes of hexadecimal digits. */
export function bytesOf(hex: string): Bytes {
  const pairs = hex.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** The bytes of a text that is plain ASCII. */
export function textBytes(text: string): Bytes {
  return encoder.encode(text);
}

/** SHA-256 of some bytes. */
export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The SHA-256 of a secret or nonce in hexadecimal digits: shown now, while the value is shown later. */
export async function commitmentOf(secretHex: string): Promise<string> {
  return hexOf(await sha256(bytesOf(secretHex)));
}
