/**
 * Lighthouse on the pages that people see first, on the slow phone and the desktop that it simulates.
 *
 * Speed depends on the machine and is only reported, as a median; the other scores must hold in every run.
 */

import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Person } from "./person";
import { expect, test } from "./test";

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, "../test-results/lighthouse");
const LIGHTHOUSE = process.env["LIGHTHOUSE"] ?? "lighthouse@12.8.2";
const RUNS = Number(process.env["LIGHTHOUSE_RUNS"] ?? "5");
const LEAST: Record<string, number> = { accessibility: 0.95, "best-practices": 0.95, seo: 0.9 };
const FORMS: Record<string, readonly string[]> = { phone: [], desktop: ["--preset=desktop"] };
const FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run";
/** The stream of a table never ends, so the network is never idle there. */
const LOADING_MS = 15_000;
const RUN_MS = 120_000;

interface Measured {
  runs: number;
  path: (person: Person) => Promise<string>;
}

const PAGES: Record<string, Measured> = {
  home: { runs: RUNS, path: () => Promise.resolve("/") },
  table: { runs: RUNS, path: runningTable },
  learn: { runs: 1, path: () => Promise.resolve("/learn") },
  rules: { runs: 1, path: () => Promise.resolve("/rules/escape") },
};

/** By category, of 1. */
type Scores = Record<string, number>;

for (const [name, { runs, path }] of Object.entries(PAGES)) {
  for (const [form, options] of Object.entries(FORMS)) {
    test(`Lighthouse is content with the page ${name} on a ${form}`, async ({ arrive }) => {
      test.setTimeout(2 * runs * RUN_MS);
      const person = await arrive("Anne");
      const measure = await measurer(person, await path(person), options);
      const scores: Scores[] = [];
      while (scores.length < runs) scores.push(await measure(`${name}-${form}-${scores.length + 1}`));
      tell(name, form, scores);
      for (const [category, least] of Object.entries(LEAST))
        for (const score of scores) expect(score[category], category).toBeGreaterThanOrEqual(least);
    });
  }
}

/** A row of the score table: the medians, performance first. */
function tell(name: string, form: string, scores: readonly Scores[]): void {
  const medians = ["performance", ...Object.keys(LEAST)].map((category) => {
    const sorted = scores.map((score) => score[category] ?? 0).toSorted((one, other) => one - other);
    return `${category} ${Math.round(100 * (sorted[Math.floor(sorted.length / 2)] ?? 0))}`;
  });
  const line = `${name}, ${form}, median of ${scores.length}: ${medians.join(", ")}`;
  console.log(line);
  appendFileSync(join(FOLDER, "scores.txt"), `${line}\n`);
}

/** A game against a bot, on the person's turn or the bot's. */
async function runningTable(person: Person): Promise<string> {
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 }, ["deckhand"]);
  await person.command(id, "start");
  return `/table/${id}`;
}

/** Return how to measure a page once, as this person sees it; `name` names the report. */
async function measurer(
  person: Person,
  path: string,
  options: readonly string[],
): Promise<(name: string) => Promise<Scores>> {
  mkdirSync(FOLDER, { recursive: true });
  const headers = join(FOLDER, "headers.json");
  const cookies = await person.context.cookies();
  writeFileSync(
    headers,
    JSON.stringify({ Cookie: cookies.map((one) => `${one.name}=${one.value}`).join("; ") }),
  );
  const own = [`--chrome-flags=${FLAGS}`, `--extra-headers=${headers}`, `--max-wait-for-load=${LOADING_MS}`];
  const words = ["--yes", LIGHTHOUSE, `${person.url}${path}`, ...own, ...options, "--quiet", "--output=json"];
  const env = { ...process.env, CHROME_PATH: process.env["CHROMIUM"] ?? "/usr/bin/chromium" };
  return async (name) => {
    const file = join(FOLDER, `${name}.json`);
    const once = (): Promise<unknown> =>
      run("npx", [...words, `--output-path=${file}`], { env, timeout: RUN_MS });
    // Lighthouse sometimes loses the trace of its browser and asks to be run again.
    await once().catch(once);
    const { categories } = JSON.parse(readFileSync(file, "utf8")) as {
      categories: Record<string, { score: number }>;
    };
    return Object.fromEntries(Object.entries(categories).map(([category, { score }]) => [category, score]));
  };
}
