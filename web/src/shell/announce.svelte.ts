/** What is said to the reader beside the page: two live regions for screen readers, and toasts. */

/** How long events of the game are collected before they are spoken together. */
const BATCH_MS = 400;
const TOAST_MS = 6000;

export interface Toast {
  id: number;
  text: string;
  kind: "info" | "good" | "problem";
  /** A button in the toast; such a toast stays until it is used or closed. */
  action?: { label: string; run: () => void };
}

class Said {
  /** What #live says: events of the game. */
  live = $state("");
  /** What #live-self says: answers to the reader's own keys. */
  self = $state("");
  toasts: Toast[] = $state([]);
}

export const said = new Said();

let batch: string[] = [];
let speaking: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

/** Announce an event of the game, together with everything else within a moment. */
export function announce(text: string): void {
  batch.push(text);
  speaking ??= setTimeout(() => {
    said.live = different(batch.join(" "), said.live);
    batch = [];
    speaking = undefined;
  }, BATCH_MS);
}

/** Answer the reader's own key or click at once. */
export function answer(text: string): void {
  said.self = different(text, said.self);
}

/** Show a sentence for a while, and announce it; returns the id for `closeToast`. */
export function toast(text: string, options: Partial<Pick<Toast, "kind" | "action">> = {}): number {
  const id = ++lastId;
  said.toasts.push({ kind: "info", ...options, id, text });
  answer(text);
  if (options.action === undefined) setTimeout(() => closeToast(id), TOAST_MS);
  return id;
}

/** Take back all that was said: somebody else looks at the page now. */
export function hush(): void {
  clearTimeout(speaking);
  speaking = undefined;
  batch = [];
  said.live = said.self = "";
  said.toasts = [];
}

export function closeToast(id: number): void {
  said.toasts = said.toasts.filter((each) => each.id !== id);
}

/** A region is silent if its text does not change, so repeated words end in one more space. */
function different(text: string, before: string): string {
  return text === before ? `${text}\u00a0` : text;
}
