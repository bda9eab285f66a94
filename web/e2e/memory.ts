/** What the memory of a page holds: objects and texts that tell what one seat sees. */

import type { CDPSession, Page } from "@playwright/test";

/** The seats of the views that are anywhere in the page's memory, spectators' left out. */
export async function hiddenObjects(page: Page): Promise<number[]> {
  return inspected(page, async (inspector) => {
    const { result: prototype } = await inspector.send("Runtime.evaluate", {
      expression: "Object.prototype",
    });
    // The garbage is collected first.
    const { objects } = await inspector.send("Runtime.queryObjects", {
      prototypeObjectId: prototype.objectId ?? "",
    });
    const { result } = await inspector.send("Runtime.callFunctionOn", {
      objectId: objects.objectId ?? "",
      functionDeclaration: `function () {
        const isView = (each) => Object.hasOwn(each, "hands") && Object.hasOwn(each, "row");
        return this.filter((each) => isView(each) && each.seat !== null).map(({ seat }) => seat);
      }`,
      returnByValue: true,
    });
    return result.value as number[];
  });
}

/** The texts in the page's memory that tell the view of a seat, as they came in. */
export async function hiddenText(page: Page): Promise<string[]> {
  return inspected(page, async (inspector) => {
    const pieces: string[] = [];
    inspector.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => pieces.push(chunk));
    await inspector.send("HeapProfiler.collectGarbage");
    await inspector.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    const { strings } = JSON.parse(pieces.join("")) as { strings: string[] };
    return strings.filter((text) => /"view":\{"seat":\d/.test(text));
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
