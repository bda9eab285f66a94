/** A browser for the tests of streams and tabs: its locks, its channels between tabs, its window and page. */

import { vi } from "vitest";

/** The events of a page: the network or the reader comes back, the page is hidden. */
export class Page extends EventTarget {
  hidden = false;
  get visibilityState(): "visible" | "hidden" {
    return this.hidden ? "hidden" : "visible";
  }
}

/** The page and window of this browser, installed as globals. */
export function openPage(): { page: Page; window: EventTarget } {
  const [page, window] = [new Page(), new EventTarget()];
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  return { page, window };
}

type Work = (lock: object | null) => Promise<unknown>;
type Options = { signal?: AbortSignal; ifAvailable?: boolean; steal?: boolean };

interface Held {
  release: () => void;
  lose: () => void;
}

/** Locks like a browser's: one holder per name, the others wait in order. */
export class Locks {
  private readonly held = new Map<string, Held>();
  private readonly waiting = new Map<string, (() => void)[]>();

  async request(name: string, options: Options, work: Work): Promise<unknown> {
    options.signal?.throwIfAborted();
    if (this.held.has(name)) {
      if (options.ifAvailable === true) return work(null);
      if (options.steal === true) this.held.get(name)?.lose();
      else await this.turnFor(name, options.signal);
    }
    return this.holding(name, work);
  }

  isHeld(name: string): boolean {
    return this.held.has(name);
  }

  private holding(name: string, work: Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const mine: Held = {
        release: () => {
          if (this.held.get(name) !== mine) return;
          this.held.delete(name);
          this.waiting.get(name)?.shift()?.();
        },
        lose: () => reject(new DOMException("stolen", "AbortError")),
      };
      this.held.set(name, mine);
      void work({ name }).then(resolve, reject).finally(mine.release);
    });
  }

  private turnFor(name: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.waiting.get(name) ?? [];
      this.waiting.set(name, [...queue, resolve]);
      signal?.addEventListener("abort", () => {
        this.waiting.set(name, this.waiting.get(name)?.filter((each) => each !== resolve) ?? []);
        reject(new DOMException("stopped", "AbortError"));
      });
    });
  }
}

/** Channels of one name hear each other, but not themselves. */
export class Channel {
  static readonly open = new Set<Channel>();
  /** Runs around each received message, for tests whose tabs share one page. */
  static hearing: (hear: () => void) => void = (hear) => hear();
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(readonly name: string) {
    Channel.open.add(this);
  }

  postMessage(data: unknown): void {
    const others = [...Channel.open].filter((each) => each !== this && each.name === this.name);
    for (const each of others) queueMicrotask(() => Channel.hearing(() => each.onmessage?.({ data })));
  }

  close(): void {
    Channel.open.delete(this);
  }
}
