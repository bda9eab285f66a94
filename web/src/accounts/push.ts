/** Web push: whether this browser can tell its player that it is their turn, and whether it does. */

import { ask, ServiceRefusal } from "../api/service";
import { canBeApp } from "../shell/app";
import { bytesOf } from "../api/base64url";
import type { Browser, Browsers, PushKey } from "./messages";

/** The id under which the service knows this browser. */
const KEPT_ID = "cartagena.push";
const OFFER_CLOSED = "cartagena.push_offer_closed";

/** `insecure`, `unsupported`, `unavailable` and `refused` are reasons why there is nothing to switch. */
export type PushState = "insecure" | "unsupported" | "unavailable" | "refused" | "off" | "on";

/** The state in this browser, for the player who is signed in here. */
export async function pushState(): Promise<PushState> {
  if (!isSecureContext) return "insecure";
  if (!canBeApp() || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "refused";
  if ((await worker()) === null || (await pushKey()) === null) return "unavailable";
  return (await isToldHere()) ? "on" : "off";
}

/** Ask the browser for permission and subscribe it; returns the state after that. */
export async function startPush(): Promise<PushState> {
  const [registration, key] = [await worker(), await pushKey()];
  if (registration === null || key === null) return "unavailable";
  if ((await Notification.requestPermission()) !== "granted") return pushState();
  // A subscription of another player, or made with an old key of the service, would be of no use.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(key),
  });
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await ask<Browser>("POST", "/api/me/push", { endpoint, keys });
  localStorage.setItem(KEPT_ID, id);
  return "on";
}

/** Stop the notices in this browser. */
export async function stopPush(): Promise<PushState> {
  const id = localStorage.getItem(KEPT_ID);
  if (id !== null) await silence(id);
  await (await (await worker())?.pushManager.getSubscription())?.unsubscribe();
  return "off";
}

/** Stop the notices in one of the player's browsers. */
export async function silence(id: string): Promise<void> {
  await ask("DELETE", `/api/me/push/${id}`);
  if (isThisBrowser(id)) localStorage.removeItem(KEPT_ID);
}

/** Whether this is the browser in which the page is open. */
export function isThisBrowser(id: string): boolean {
  return localStorage.getItem(KEPT_ID) === id;
}

/** Whether the offer of `PushOffer` was declined here; it is made once. */
export function isOfferClosed(): boolean {
  return localStorage.getItem(OFFER_CLOSED) !== null;
}

export function closeOffer(): void {
  localStorage.setItem(OFFER_CLOSED, "yes");
}

/** The service worker that shows notices; a development server has none. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  return (await navigator.serviceWorker.getRegistration()) ?? null;
}

/** The key that browsers subscribe with; null if the service sends no push. */
async function pushKey(): Promise<string | null> {
  try {
    return (await ask<PushKey>("GET", "/api/push-key")).key;
  } catch (problem) {
    if (problem instanceof ServiceRefusal && problem.status === 404) return null;
    throw problem;
  }
}

/** Both sides must know of it: the end of a session removes the service's half. */
async function isToldHere(): Promise<boolean> {
  const subscription = await (await worker())?.pushManager.getSubscription();
  if (subscription === null || subscription === undefined) return false;
  const { browsers } = await ask<Browsers>("GET", "/api/me/push");
  return browsers.some(({ id }) => isThisBrowser(id));
}
