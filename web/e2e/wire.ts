/** The wire of a browser: every answer of the service that reaches a page's script is recorded. */

import type { BrowserContext } from "@playwright/test";
import type { Received } from "./harbour";

/** In pieces, because a stream has no end while a game runs. */
interface Piece {
  id: string;
  head?: Omit<Received, "body">;
  text?: string;
}

export class Wire {
  private readonly answers = new Map<string, Received>();

  /** Everything so far. */
  received(): Received[] {
    return [...this.answers.values()].map((answer) => ({ ...answer }));
  }

  /** Bytes received so far, of all answers. */
  get size(): number {
    return this.received().reduce((sum, { body }) => sum + body.length, 0);
  }

  add({ id, head, text }: Piece): void {
    if (head !== undefined) this.answers.set(id, { ...head, body: "" });
    const answer = this.answers.get(id);
    if (answer !== undefined && text !== undefined) answer.body += text;
  }
}

/** Record all pages of a context from now on. Each piece costs a message, so few tests do so. */
export async function tapWire(context: BrowserContext, wire: Wire): Promise<void> {
  await context.exposeBinding("tellOfWire", (_, piece: Piece) => wire.add(piece));
  await context.addInitScript(tapFetch);
}

/** Runs in the page, before its own scripts: our pages reach the service only through `fetch`. */
function tapFetch(): void {
  const told = window as unknown as { tellOfWire: (piece: object) => void };
  const plain = window.fetch.bind(window);

  async function listen(id: string, copy: Response): Promise<void> {
    const reader = copy.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return;
      told.tellOfWire({ id, text: decoder.decode(piece.value, { stream: true }) });
    }
  }

  window.fetch = async (input, init) => {
    const answer = await plain(input, init);
    const { pathname } = new URL(answer.url);
    if (pathname.startsWith("/api/")) {
      const id = `${String(performance.timeOrigin)} ${String(Math.random())}`;
      const method = init?.method ?? "GET";
      told.tellOfWire({
        id,
        head: { method, path: pathname, status: answer.status, headers: [...answer.headers] },
      });
      // When a stream is cut off, what it has told so far stays recorded.
      void listen(id, answer.clone()).catch(() => undefined);
    }
    return answer;
  };
}
