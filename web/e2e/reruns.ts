/** A reporter: names each test that passed only on its second try, and in one line why the first failed. */

import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";

const LONGEST = 300;

export default class Reruns implements Reporter {
  private tests: readonly TestCase[] = [];
  private root = "";

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.tests = suite.allTests();
    this.root = rootDir;
  }

  onEnd(): void {
    for (const test of this.tests.filter((each) => each.outcome() === "flaky"))
      console.log(`SECOND TRY ${this.placeOf(test.location)} ${test.title}: ${this.firstFailureOf(test)}`);
  }

  private firstFailureOf({ results }: TestCase): string {
    const { status, error } = results.find((each) => each.status !== "passed") ?? {};
    const words = stripVTControlCharacters(error?.message ?? status ?? "").replaceAll(/\s+/g, " ");
    const place = error?.location === undefined ? "" : ` (${this.placeOf(error.location)})`;
    return `${words.trim().slice(0, LONGEST)}${place}`;
  }

  private placeOf({ file, line }: TestCase["location"]): string {
    return `${relative(this.root, file)}:${line}`;
  }
}
