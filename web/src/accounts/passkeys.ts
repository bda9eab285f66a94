/** Passkeys: the exchange between the browser and the service. */

import type { Me } from "../api/messages";
import { ask, ServiceRefusal } from "../api/service";
import type { PasskeyMade, Sessions, SignedIn } from "./messages";
import {
  createdJson,
  creationOptions,
  provedJson,
  requestOptions,
  type CreationJson,
  type RequestJson,
} from "./webauthn";

/** Why there can be no passkeys here. */
export type Hindrance = "insecure" | "unsupported";

/** Why this browser cannot use passkeys at this address; null if it can. */
export function passkeyHindrance(): Hindrance | null {
  if (!isSecureContext) return "insecure";
  return "PublicKeyCredential" in window ? null : "unsupported";
}

/** Have the browser make a passkey; a guest keeps their name with it. Throws a refusal or a DOMException. */
export async function addPasskey(name: string): Promise<PasskeyMade> {
  const { publicKey } = await ask<{ publicKey: CreationJson }>("POST", "/api/me/passkeys/begin", { name });
  const made = await navigator.credentials.create({ publicKey: creationOptions(publicKey) });
  if (!(made instanceof PublicKeyCredential) || !(made.response instanceof AuthenticatorAttestationResponse))
    throw givenUp();
  const credential = createdJson(made, made.response);
  return ask<PasskeyMade>("POST", "/api/me/passkeys/finish", { credential, label: await placeLabel() });
}

/** Sign in with a passkey of this browser; throws a refusal or a DOMException. */
export async function signInByPasskey(): Promise<Me> {
  return (await ask<SignedIn>("POST", "/api/sign-in/finish", { credential: await proof() })).me;
}

/** The browser's proof of who the player is; throws a refusal or a DOMException. */
async function proof(): Promise<object> {
  const { publicKey } = await ask<{ publicKey: RequestJson }>("POST", "/api/sign-in/begin");
  const proved = await navigator.credentials.get({ publicKey: requestOptions(publicKey) });
  if (
    !(proved instanceof PublicKeyCredential) ||
    !(proved.response instanceof AuthenticatorAssertionResponse)
  )
    throw givenUp();
  return provedJson(proved, proved.response);
}

/** Do what only the player may do; without a recent proof of that, ask for a passkey first. */
export async function asOneself<Done>(deed: () => Promise<Done>): Promise<Done> {
  try {
    return await deed();
  } catch (problem) {
    if (!(problem instanceof ServiceRefusal) || problem.code !== "needs_proof") throw problem;
    if (passkeyHindrance() !== null) throw problem;
    try {
      await ask("POST", "/api/me/proof", { credential: await proof() });
    } catch (failure) {
      // Without a passkey at hand, the player is told about the other ways.
      throw failure instanceof DOMException ? problem : failure;
    }
    return deed();
  }
}

/** A browser that returns nothing was told to stop by the player. */
function givenUp(): DOMException {
  return new DOMException("no credential", "NotAllowedError");
}

/** The service's name for this browser: a passkey made here has that name until it is renamed. */
async function placeLabel(): Promise<string> {
  try {
    const { sessions } = await ask<Sessions>("GET", "/api/me/sessions");
    return sessions.find((session) => session.is_this)?.label ?? "";
  } catch {
    // The passkey matters more than its label.
    return "";
  }
}
