/** What the memory of a page holds: objects and texts that tell what one seat sees, may choose or drew. */

import type { CDPSession, Page } from "@playwright/test";

/** As the device writes its messages: the view of a seat, its choices, a card that it drew or trimmed. */
const TOLD = /"view":\{"seat":\d|"legal":\[\{|"happening":"(drew|trimmed)","seat":\d+,"card":"/;

/**
 * What the objects in a page's memory tell, each thing once, in few words: views of seats, choices, cards drawn or
 * trimmed, and lines of the log with cards. Some of it everybody knows, such as a card that was drawn face up.
 */
export function toldByObjects(page: Page): Promise<string[]> {
  return ofObjects(page, "Object.prototype", toldBy);
}

/** In the page: what its objects tell. */
function toldBy(this: readonly object[]): string[] {
  // What else is in memory may answer to any name: only own properties that are plain values are read.
  const valueOf = (each: object, name: string): unknown => Object.getOwnPropertyDescriptor(each, name)?.value;
  const isKnown = (value: unknown): boolean =>
    Array.isArray(value) ? value.some((card) => typeof card === "string") : typeof value === "string";
  /** What tells of a seat: the properties by which it is known, and those of them that hold cards or a seat. */
  const kinds: readonly (readonly [what: string, names: readonly string[], cards: string])[] = [
    ["a view", ["hands", "row", "seat", "turn"], "hands"],
    ["a choice", ["code", "kind"], "kind"],
    ["a card that came or went", ["happening", "seat", "card"], "card"],
    ["a line of the log", ["seat", "gains", "cards"], "cards"],
    ["a stack of a hand", ["card", "number"], "card"],
  ];
  const found = this.flatMap((each) => {
    const kind = kinds.find(([, names]) => names.every((name) => Object.hasOwn(each, name)));
    if (kind === undefined) return [];
    const [what, names, cards] = kind;
    const told = valueOf(each, cards);
    const isTold = what === "a view" ? typeof valueOf(each, "seat") === "number" : isKnown(told);
    return isTold ? [`${what}: ${names.map((name) => JSON.stringify(valueOf(each, name))).join(" ")}`] : [];
  });
  return [...new Set(found)];
}

/** The names of cards of a hand that the page no longer shows, but still has in memory. */
export function cardsTakenAway(page: Page): Promise<string[]> {
  return ofObjects(page, "HTMLElement.prototype", takenAway);
}

/** In the page: the cards that are no part of it any more. */
function takenAway(this: readonly object[]): string[] {
  // A prototype is among its objects, and is no element itself.
  const elements = this.filter((each) => !Object.hasOwn(each, "constructor")) as HTMLElement[];
  const cards = elements.filter((each) => !each.isConnected && each.matches("button[data-cards]"));
  return cards.map((each) => each.ariaLabel ?? "");
}

/** What a function says of all objects with a prototype, those left out that are only garbage. */
async function ofObjects(
  page: Page,
  prototype: string,
  tell: (this: readonly object[]) => string[],
): Promise<string[]> {
  return inspected(page, async (inspector) => {
    const found = await inspector.send("Runtime.evaluate", { expression: prototype });
    const { objects } = await inspector.send("Runtime.queryObjects", {
      prototypeObjectId: found.result.objectId ?? "",
    });
    const { result, exceptionDetails } = await inspector.send("Runtime.callFunctionOn", {
      objectId: objects.objectId ?? "",
      functionDeclaration: tell.toString(),
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
    return result.value as string[];
  });
}

/** The texts in the page's memory that tell something of a seat, as they came in. */
export async function toldByTexts(page: Page): Promise<string[]> {
  return inspected(page, async (inspector) => {
    const pieces: string[] = [];
    inspector.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => pieces.push(chunk));
    await inspector.send("HeapProfiler.collectGarbage");
    await inspector.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    const { strings } = JSON.parse(pieces.join("")) as { strings: string[] };
    return strings.filter((text) => TOLD.test(text));
  });
}

async function inspected<T>(page: Page, look: (inspector: CDPSession) => Promise<T>): Promise<T> {
  const inspector = await page.context().newCDPSession(page);
  try {
    return await look(inspector);
  } finally {
    await inspector.detach();
  }
}
