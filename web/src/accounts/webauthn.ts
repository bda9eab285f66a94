/**
 * WebAuthn in two forms: the service sends options and takes credentials as JSON, a browser wants bytes.
 *
 * Newer browsers can translate by themselves (`parseCreationOptionsFromJSON`, `toJSON`); this works in all.
 * No browser here, so that tests can run it.
 */

import { bytesOf, textOf } from "../api/base64url";

/** A passkey that the service already knows. */
interface KnownJson {
  id: string;
  type: "public-key";
  transports?: AuthenticatorTransport[];
}

/** What the service wants of a new passkey. */
export type CreationJson = Omit<
  PublicKeyCredentialCreationOptions,
  "challenge" | "user" | "excludeCredentials"
> & {
  challenge: string;
  user: Omit<PublicKeyCredentialUserEntity, "id"> & { id: string };
  excludeCredentials?: KnownJson[];
};

/** What the service wants of a sign-in. */
export type RequestJson = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & {
  challenge: string;
  allowCredentials?: KnownJson[];
};

/** What is read from a browser's credential, whatever it was made for. */
export interface Credential {
  id: string;
  type: string;
  rawId: ArrayBuffer;
  authenticatorAttachment: string | null;
  getClientExtensionResults(): object;
}

/** The part of a credential that makes a passkey. */
export interface Attestation {
  clientDataJSON: ArrayBuffer;
  attestationObject: ArrayBuffer;
  /** Missing in a few older browsers. */
  getTransports?(): string[];
}

/** The part of a credential that proves who the player is. */
export interface Assertion {
  clientDataJSON: ArrayBuffer;
  authenticatorData: ArrayBuffer;
  signature: ArrayBuffer;
  userHandle: ArrayBuffer | null;
}

/** For `navigator.credentials.create`. */
export function creationOptions(told: CreationJson): PublicKeyCredentialCreationOptions {
  return {
    ...told,
    challenge: bytesOf(told.challenge),
    user: { ...told.user, id: bytesOf(told.user.id) },
    excludeCredentials: (told.excludeCredentials ?? []).map(knownPasskey),
  };
}

/** For `navigator.credentials.get`. */
export function requestOptions(told: RequestJson): PublicKeyCredentialRequestOptions {
  return {
    ...told,
    challenge: bytesOf(told.challenge),
    allowCredentials: (told.allowCredentials ?? []).map(knownPasskey),
  };
}

/** A new passkey as the service takes it. */
export function createdJson(credential: Credential, response: Attestation): object {
  return {
    ...commonJson(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

/** A passkey's signature as the service takes it. */
export function provedJson(credential: Credential, response: Assertion): object {
  return {
    ...commonJson(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle === null ? {} : { userHandle: textOf(response.userHandle) }),
    },
  };
}

function knownPasskey(told: KnownJson): PublicKeyCredentialDescriptor {
  return { ...told, id: bytesOf(told.id) };
}

function commonJson(credential: Credential): object {
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    ...(credential.authenticatorAttachment === null
      ? {}
      : { authenticatorAttachment: credential.authenticatorAttachment }),
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}
