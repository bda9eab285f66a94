/** Python in the worker, with our own packages, and the bridge to the tables that are played in it. */

import type { loadPyodide, PyodideInterface } from "pyodide";
import { addressOf, type Parts } from "./parts";

/** Called with the status, the media type and the text of an answer. */
export type Reply = (status: number, type: string, text: string) => void;

/** `cartagena.local.worker.WorkerBridge`; it calls back when the answer is there, or, for a stream, whenever there is news. */
export interface WorkerBridge {
  answer(
    method: string,
    path: string,
    body: string | undefined,
    name: string | undefined,
    reply: Reply,
  ): void;
  /** Replies once, before the first piece; calls `end` after the last one, or after a refusal. */
  follow(key: string, path: string, reply: Reply, hear: (piece: string) => void, end: () => void): void;
  leave(key: string): void;
}

/** Keeps a line of the log for good. */
export type Append = (line: string) => Promise<void>;

type StartBridge = (append: Append, lines: string) => WorkerBridge;

/** Packages come with the site, so Pyodide's own list of them is empty. */
export const NO_PACKAGES = {
  info: {
    version: "2026_0",
    abi_version: "2026_0",
    arch: "wasm32",
    platform: "emscripten_5_0_3",
    python: "3.14.2",
  },
  packages: {},
} as const;
const SITE = "/site";

/** Start Python, which answers for the tables that these lines tell. */
export async function startPython(
  parts: Parts,
  lines: readonly string[],
  append: Append,
): Promise<WorkerBridge> {
  const [python, site] = await Promise.all([
    started(parts),
    fetch(addressOf(parts, "site.zip")).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(site, "zip", { extractDir: SITE });
  python.runPython(`import sys; sys.path.insert(0, "${SITE}")`);
  const { open_door } = python.pyimport("cartagena.local.worker") as { open_door: StartBridge };
  return open_door(append, lines.join("\n"));
}

async function started(parts: Parts): Promise<PyodideInterface> {
  const address = new URL(addressOf(parts, "pyodide.mjs"), location.origin).href;
  const module = (await import(/* @vite-ignore */ address)) as { loadPyodide: typeof loadPyodide };
  return module.loadPyodide({
    indexURL: addressOf(parts, ""),
    stdLibURL: addressOf(parts, "python.zip"),
    lockFileContents: { info: { ...NO_PACKAGES.info }, packages: {} },
    packageBaseUrl: addressOf(parts, ""),
  });
}
