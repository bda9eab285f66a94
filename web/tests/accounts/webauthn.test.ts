/** Bytes and passkeys, from the service's form into the browser's and back. */

import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "../../src/api/base64url";
import { createdJson, creationOptions, provedJson, requestOptions } from "../../src/accounts/webauthn";

function buffer(...bytes: number[]): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

describe("base64url", () => {
  it("writes bytes without padding, with a minus and a low line", () => {
    expect(textOf(new Uint8Array([0xfb, 0xff, 0xbf]))).toBe("-_-_");
    expect(textOf(buffer(1))).toBe("AQ");
    expect(textOf(buffer())).toBe("");
  });

  it("reads what it has written, whatever the length", () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, (_, place) => (place * 37 + length) % 256);
      expect(bytesOf(textOf(bytes))).toEqual(bytes);
    }
  });

  it("reads padded text too, and refuses what is none", () => {
    expect(bytesOf("AQ==")).toEqual(new Uint8Array([1]));
    expect(() => bytesOf("not base64url!")).toThrow();
  });
});

describe("options for a browser", () => {
  it("has bytes where the service tells text when a passkey is made", () => {
    const options = creationOptions({
      rp: { id: "localhost", name: "Cartagena" },
      user: { id: "AQI", name: "Anne", displayName: "Anne" },
      challenge: "_-8",
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      excludeCredentials: [{ id: "Aw", type: "public-key" }],
      authenticatorSelection: { residentKey: "required" },
      timeout: 60_000,
    });
    expect(options.challenge).toEqual(new Uint8Array([0xff, 0xef]));
    expect(options.user).toEqual({ id: new Uint8Array([1, 2]), name: "Anne", displayName: "Anne" });
    expect(options.excludeCredentials).toEqual([{ id: new Uint8Array([3]), type: "public-key" }]);
    expect(options.authenticatorSelection).toEqual({ residentKey: "required" });
    expect(options.timeout).toBe(60_000);
  });

  it("asks for any passkey of this place when somebody signs in", () => {
    const options = requestOptions({
      challenge: "AQI",
      rpId: "localhost",
      userVerification: "preferred",
    });
    expect(options).toEqual({
      challenge: new Uint8Array([1, 2]),
      rpId: "localhost",
      userVerification: "preferred",
      allowCredentials: [],
    });
  });
});

describe("credentials for the service", () => {
  const credential = {
    id: "AQI",
    type: "public-key",
    rawId: buffer(1, 2),
    authenticatorAttachment: "platform",
    getClientExtensionResults: () => ({ credProps: { rk: true } }),
  };

  it("tells a new passkey", () => {
    const response = {
      clientDataJSON: buffer(3),
      attestationObject: buffer(4),
      getTransports: () => ["internal"],
    };
    expect(createdJson(credential, response)).toEqual({
      id: "AQI",
      rawId: "AQI",
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: { credProps: { rk: true } },
      response: { clientDataJSON: "Aw", attestationObject: "BA", transports: ["internal"] },
    });
  });

  it("tells a new passkey of a browser that does not know how it travels", () => {
    const response = { clientDataJSON: buffer(3), attestationObject: buffer(4) };
    expect(createdJson({ ...credential, authenticatorAttachment: null }, response)).toEqual({
      id: "AQI",
      rawId: "AQI",
      type: "public-key",
      clientExtensionResults: { credProps: { rk: true } },
      response: { clientDataJSON: "Aw", attestationObject: "BA", transports: [] },
    });
  });

  it("tells a proof, with the player's handle if there is one", () => {
    const response = { clientDataJSON: buffer(3), authenticatorData: buffer(4), signature: buffer(5) };
    expect(provedJson(credential, { ...response, userHandle: buffer(6) })).toMatchObject({
      rawId: "AQI",
      response: { clientDataJSON: "Aw", authenticatorData: "BA", signature: "BQ", userHandle: "Bg" },
    });
    expect(provedJson(credential, { ...response, userHandle: null })).toMatchObject({
      response: { clientDataJSON: "Aw", authenticatorData: "BA", signature: "BQ" },
    });
  });
});
