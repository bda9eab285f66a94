/** The shuffle of one game: everything that chance decides, from what the service and the seats brought. */

import { sha256, textBytes } from "./bytes";
import { importKey, Stream } from "./stream";

const ALGORITHM = "cartagena shuffle 1";
const SEGMENTS = 6;
const PIECES = 5;
const SIGNS_OF_A_PIECE = 7;

/** What a shuffle is made of; secret and nonces in hexadecimal digits, null for a seat without a nonce. */
export interface Ingredients {
  game: string;
  ruleset: string;
  nonces: readonly (string | null)[];
  secret: string;
}

/** The segments of the tunnel in order from the start, and which of them are reversed. */
export interface Segments {
  order: number[];
  turned: boolean[];
}

/** The canonical text of a shuffle. */
export function canonicalText({ game, ruleset, nonces, secret }: Ingredients): string {
  const seats = nonces.map((nonce) => `seat ${nonce ?? "-"}`);
  const lines = [
    ALGORITHM,
    `game ${game}`,
    `ruleset ${ruleset}`,
    `seats ${nonces.length}`,
    ...seats,
    `secret ${secret}`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export class Shuffle {
  private constructor(
    private readonly key: CryptoKey,
    private readonly seats: number,
  ) {}

  static async of(ingredients: Ingredients): Promise<Shuffle> {
    const key = await importKey(await sha256(textBytes(canonicalText(ingredients))));
    return new Shuffle(key, ingredients.nonces.length);
  }

  /** The numbers for one purpose, from the first one on. */
  stream(purpose: string): Stream {
    return new Stream(this.key, purpose);
  }

  /** The seat that begins. */
  firstSeat(): Promise<number> {
    return this.stream("first seat").number(this.seats);
  }

  /** The order of all cards. */
  deal(cards: readonly number[]): Promise<number[]> {
    return this.stream("deal").order(cards);
  }

  /** The order of the stock after the first, second, ... renewal. */
  renewal(number: number, cards: readonly number[]): Promise<number[]> {
    return this.stream(`renewal ${number}`).order(cards);
  }

  async segments(): Promise<Segments> {
    const stream = this.stream("board");
    const order = await stream.order(upTo(SEGMENTS));
    const turned: boolean[] = [];
    for (let laid = 0; laid < SEGMENTS; laid++) turned.push((await stream.number(2)) === 1);
    return { order, turned };
  }

  /** The signs on each piece of the islands, from the start to the nest. */
  async pieces(): Promise<number[][]> {
    const stream = this.stream("board");
    const pieces: number[][] = [];
    for (let piece = 0; piece < PIECES; piece++) pieces.push(await stream.order(upTo(SIGNS_OF_A_PIECE)));
    return pieces;
  }
}

function upTo(number: number): number[] {
  return Array.from({ length: number }, (_, index) => index);
}
