/** The trees of play, counted again in the browser: by the parts of the engine that a device loads, in its worker. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NO_PACKAGES } from "../src/device/python";
import { DeviceSide } from "./deviceSide";
import { expect, test } from "./test";

/** The one list of counts; the tests of the rules read it, too. */
const STORED = join(import.meta.dirname, "../../tests/perft");
/** A tree with more ways takes long. */
const QUICK = 20_000;

interface Count {
  name: string;
  depth: number;
  expected: number;
  found: number;
}

const COUNT = `
import json
from cartagena.notation.perft import check_perft, parse_perft

def counts(text, most):
    for case in parse_perft(text):
        deepest = max(depth for depth, ways in case.counts if ways <= most)
        for count in check_perft(case, deepest):
            yield {name: getattr(count, name) for name in ("name", "depth", "expected", "found")}

json.dumps([count for text in json.loads(texts) for count in counts(text, most)])`;

for (const [what, most, tag] of [
  ["small trees", QUICK, []],
  ["all trees", Infinity, ["@long"]],
] as [string, number, string[]][])
  test(`the worker counts ${what} of play as they are stored`, { tag }, async ({ browser, harbour }) => {
    test.setTimeout(1_800_000);
    const texts = readdirSync(STORED).map((file) => readFileSync(join(STORED, file), "utf8"));
    const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "");
    const page = await device.fetchGame();
    const [worker] = page.workers();
    if (worker === undefined) throw new Error("there is no worker");
    const counts = JSON.parse(
      await worker.evaluate(counted, {
        lock: JSON.stringify(NO_PACKAGES),
        program: COUNT,
        texts: JSON.stringify(texts),
        most: Math.min(most, Number.MAX_SAFE_INTEGER),
      }),
    ) as Count[];
    expect(counts.filter(({ expected, found }) => expected !== found)).toEqual([]);
    expect(new Set(counts.map(({ name }) => name)).size).toBe(texts.length);
    const stored = texts.join("\n").match(/^perft \d+ \d+$/gm) ?? [];
    expect(counts.length).toBe(stored.filter((line) => Number(line.split(" ").at(-1)) <= most).length);
    await device.leave();
  });

/** Runs in the worker: a second Python from the same parts, and the result of a program. */
async function counted({
  lock,
  program,
  ...given
}: {
  lock: string;
  program: string;
  texts: string;
  most: number;
}): Promise<string> {
  const { folder } = (await (await fetch("/engine/parts.json")).json()) as { folder: string };
  const engine = `${location.origin}/engine/${folder}/`;
  const { loadPyodide } = (await import(`${engine}pyodide.mjs`)) as typeof import("pyodide");
  const python = await loadPyodide({
    indexURL: engine,
    stdLibURL: `${engine}python.zip`,
    lockFileContents: lock,
    packageBaseUrl: engine,
  });
  const site = await (await fetch(`${engine}site.zip`)).arrayBuffer();
  python.unpackArchive(site, "zip", { extractDir: "/site" });
  python.runPython(`import sys; sys.path.insert(0, "/site")`);
  return python.runPython(program, { globals: python.toPy(given) as never }) as string;
}
