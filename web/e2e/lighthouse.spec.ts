/** Lighthouse on the pages that people come to first, on the slow phone that it imagines. */

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "./test";

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, "../test-results/lighthouse");
const LIGHTHOUSE = process.env["LIGHTHOUSE"] ?? "lighthouse@12.8.2";
const LEAST: Record<string, number> = {
  performance: 0.9,
  accessibility: 1,
  "best-practices": 0.95,
  seo: 0.9,
};

interface Report {
  categories: Record<string, { score: number }>;
}

for (const [name, path] of Object.entries({ home: "/", learn: "/learn", rules: "/rules/escape" })) {
  test(`Lighthouse is content with the page ${name}`, async ({ harbour }) => {
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, `${name}.json`);
    const flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run";
    const options = [`--chrome-flags=${flags}`, "--quiet", "--output=json", `--output-path=${file}`];
    await run("npx", ["--yes", LIGHTHOUSE, `${harbour.node(0)}${path}`, ...options], {
      env: { ...process.env, CHROME_PATH: process.env["CHROMIUM"] ?? "/usr/bin/chromium" },
      timeout: 240_000,
    });
    const { categories } = JSON.parse(readFileSync(file, "utf8")) as Report;
    for (const [category, least] of Object.entries(LEAST)) {
      expect(categories[category]?.score, category).toBeGreaterThanOrEqual(least);
    }
  });
}
