/** The client as an app: its service worker, the words for its notices, and news of a new version. */

import { say } from "../words/words.svelte";
import { toast } from "./announce.svelte";
import { at, BASE } from "./site";

const WORKER = "/service-worker.js";
const NOTICES = ["your_turn", "started", "over", "other"] as const;
const LOOK_EVERY_MS = 30 * 60_000;

/** Whether this address allows a service worker, and with it installing and push. */
export function canBeApp(): boolean {
  return isSecureContext && "serviceWorker" in navigator;
}

/** Register the service worker of a built client; a development server has none. */
export async function startApp(): Promise<void> {
  if (!canBeApp() || !import.meta.env.PROD) return;
  try {
    await navigator.serviceWorker.register(at(WORKER));
  } catch {
    // A browser may refuse, for instance in a private window: the site works without it.
  }
}

/** Give the worker the sentences of its notices in the current language. */
export async function tellNoticeWords(): Promise<void> {
  if (!canBeApp() || !import.meta.env.PROD) return;
  const words = Object.fromEntries(NOTICES.map((kind) => [kind, say(`web.notice.${kind}`)]));
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ kind: "notice_words", words });
}

/** Tell the reader once when the site has a newer version than this page; returns a function that stops. */
export function watchForNewVersion(): () => void {
  if (!import.meta.env.PROD) return () => undefined;
  let isTold = false;
  const look = async (): Promise<void> => {
    if (isTold || document.visibilityState !== "visible" || !(await isRenewed())) return;
    isTold = true;
    const action = { label: say("web.shell.reload"), run: () => location.reload() };
    toast(say("web.shell.update"), { action });
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

function nameOf(address: string): string {
  return address.slice(address.lastIndexOf("/"));
}

/** The page names its script by a hashed file: another name is another version. */
async function isRenewed(): Promise<boolean> {
  try {
    const answer = await fetch(BASE, { cache: "no-store" });
    const ours = document.querySelector<HTMLScriptElement>("script[type=module]");
    return answer.ok && ours !== null && !(await answer.text()).includes(nameOf(ours.src));
  } catch {
    return false;
  }
}
