/** Fair numbers and fair orders, made from a key: steps 3 to 5 of docs/fairness.md. */

import { textBytes, type Bytes } from "./bytes";

/** How many values a word of four bytes can have. */
const WORDS = 2 ** 32;
const WORD_BYTES = 4;

/** The key of a game, made ready for the streams. */
export function importKey(key: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** An endless sequence of fair numbers for one purpose, equal for everyone who has the key. */
export class Stream {
  private block = 0;
  private words: number[] = [];

  constructor(
    private readonly key: CryptoKey,
    private readonly purpose: string,
  ) {}

  /** The next number from 0 up to, but not including, `below`; all are equally likely. */
  async number(below: number): Promise<number> {
    // Words above the last whole multiple would make small numbers likelier.
    const limit = WORDS - (WORDS % below);
    for (;;) {
      const word = await this.word();
      if (word < limit) return word % below;
    }
  }

  /** These cards in a fair order, regardless of their order before; the first is drawn first. */
  async order(cards: readonly number[]): Promise<number[]> {
    const order = [...cards].sort((one, other) => one - other);
    for (let last = order.length - 1; last > 0; last--) {
      const other = await this.number(last + 1);
      const [low, high] = [order[other], order[last]];
      // Both are below the length of the list.
      if (low === undefined || high === undefined) throw new RangeError("a place outside the cards");
      order[last] = low;
      order[other] = high;
    }
    return order;
  }

  private async word(): Promise<number> {
    if (this.words.length === 0) this.words = await this.nextBlock();
    return this.words.shift() ?? 0;
  }

  private async nextBlock(): Promise<number[]> {
    const message = textBytes(`${this.purpose}\n${this.block++}`);
    const block = new DataView(await crypto.subtle.sign("HMAC", this.key, message));
    return Array.from({ length: block.byteLength / WORD_BYTES }, (_, place) =>
      block.getUint32(place * WORD_BYTES),
    );
  }
}
