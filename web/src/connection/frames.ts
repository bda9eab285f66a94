/** Server-Sent Events, read from the bytes of a stream as they come. */

export interface StreamEvent {
  name: string;
  data: string;
  /** The place after this event; null for events that have none. */
  id: string | null;
}

/** Cuts what is fed to it into events; remembers an unfinished line. */
export class EventReader {
  /** How many milliseconds the service wants us to wait before reconnecting. */
  retry: number | null = null;

  private readonly decoder = new TextDecoder();
  private rest = "";
  private name = "";
  private data: string[] = [];
  private id: string | null = null;

  /** The events that end in these bytes. */
  feed(bytes: Uint8Array): StreamEvent[] {
    // A lone carriage return would end a line too, but no service sends one. No regular expression reads the
    // text: it would be kept as `RegExp.input`, with the hand of one who has passed the device on.
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.flatMap((each) => {
      const line = each.endsWith("\r") ? each.slice(0, -1) : each;
      return line === "" ? this.ended() : this.continued(line);
    });
  }

  private continued(line: string): [] {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") this.name = value;
    else if (field === "data") this.data.push(value);
    else if (field === "id") this.id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    // Anything else is a comment (the heartbeat) or an unknown field.
    return [];
  }

  private ended(): StreamEvent[] {
    const { name, data, id } = this;
    this.name = "";
    this.data = [];
    this.id = null;
    return data.length === 0 ? [] : [{ name: name || "message", data: data.join("\n"), id }];
  }
}

/** How far a listener has been told: the number of the last update and of the last line of chat. */
export interface Place {
  seq: number;
  chat: number;
}

/** A place as the header `Last-Event-ID` writes it. */
export function formatPlace({ seq, chat }: Place): string {
  return `${seq}.${chat}`;
}
