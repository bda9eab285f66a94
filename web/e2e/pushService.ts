/** A local push service: it receives what is sent to a browser, and has the keys to open it (RFC 8291). */

import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const CURVE = "prime256v1";
const [SALT, RECORD_SIZE, TAG] = [16, 4, 16];
/** The byte that ends the last record; zeros may follow. */
const END = 2;

/** What a browser hands to the service when it subscribes. */
export interface Subscribed {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface Pushed {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export class PushService {
  readonly pushed: Pushed[] = [];
  private readonly own = createECDH(CURVE);
  private readonly auth = randomBytes(16);
  private readonly server: Server;

  private constructor() {
    this.own.generateKeys();
    this.server = createServer((request, response) => {
      void this.take(request).then(() => response.writeHead(201).end());
    });
  }

  static async open(): Promise<PushService> {
    const service = new PushService();
    await new Promise<void>((resolve) => service.server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  close(): void {
    this.server.close();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get subscription(): Subscribed {
    const keys = { p256dh: this.own.getPublicKey("base64url"), auth: this.auth.toString("base64url") };
    return { endpoint: `${this.origin}/push/anne`, keys };
  }

  /** The text inside a push; throws if it was encrypted for another browser. */
  opened({ body }: Pushed): string {
    const salt = body.subarray(0, SALT);
    const sender = body.subarray(
      SALT + RECORD_SIZE + 1,
      SALT + RECORD_SIZE + 1 + (body[SALT + RECORD_SIZE] ?? 0),
    );
    const sealed = body.subarray(SALT + RECORD_SIZE + 1 + sender.length);
    const secret = createHmac("sha256", this.auth).update(this.own.computeSecret(sender)).digest();
    const both = Buffer.concat([
      Buffer.from("WebPush: info\0"),
      this.own.getPublicKey(),
      sender,
      Buffer.from([1]),
    ]);
    const shared = createHmac("sha256", secret).update(both).digest();
    const derived = (info: string, length: number): Buffer =>
      Buffer.from(hkdfSync("sha256", shared, salt, `Content-Encoding: ${info}\0`, length));
    const cipher = createDecipheriv("aes-128-gcm", derived("aes128gcm", 16), derived("nonce", 12));
    cipher.setAuthTag(sealed.subarray(-TAG));
    const record = Buffer.concat([cipher.update(sealed.subarray(0, -TAG)), cipher.final()]);
    return record.subarray(0, record.lastIndexOf(END)).toString();
  }

  private async take(request: IncomingMessage): Promise<void> {
    this.pushed.push({ headers: request.headers, body: await buffer(request) });
  }
}

/** What the sender of a push claims, if it holds the key that browsers were given (RFC 8292). */
export function signedBy(key: string, { headers }: Pushed): Record<string, unknown> {
  const [, token = "", shown] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? "") ?? [];
  if (shown !== key) throw new Error(`signed with the key ${String(shown)}`);
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const known = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const signed = Buffer.from(`${head}.${claims}`);
  const given = Buffer.from(signature, "base64url");
  if (!verify("sha256", signed, { key: known, dsaEncoding: "ieee-p1363" }, given))
    throw new Error("the signature is not of this key");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
}
