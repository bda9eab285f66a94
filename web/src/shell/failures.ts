/** Failures of our own pages: logged in full, and reported to the service without the error message. */

import type { FailureReport, PagePart } from "../api/messages";
import { ask } from "../api/service";
import { hasService } from "./site";

/** A page that fails again and again reports nothing new. */
const MOST_REPORTS = 5;
const MOST_PLACES = 10;
const LONGEST_NAME = 60;
const LONGEST_PATH = 80;
/** A line of a stack: `at draw (https://host/file.js:1:2)`, or `draw@https://host/file.js:1:2`. */
const CHROMIUM = /^\s*at (?:(?:async )?(.*?) \()?(https?:\/\/\S+):(\d+):(\d+)\)?$/;
const OTHERS = /^(.*?)@(https?:\/\/\S+):(\d+):(\d+)$/;

const told = new Set<string>();

/** Report a failure in a part of a page. */
export function reportFailure(where: PagePart, error: unknown): void {
  console.error(error);
  tellService(where, error);
}

/** Do something besides drawing, such as speaking; a failure is reported, and the picture stays. */
export function guarded(where: PagePart, deed: () => void): void {
  try {
    deed();
  } catch (error) {
    reportFailure(where, error);
  }
}

/** Report errors that no part of a page catches; the browser itself writes them to the console. */
export function listenForFailures(): void {
  addEventListener("error", (event) => {
    const error: unknown = event.error;
    if (error instanceof Error) tellService("window", error);
  });
  addEventListener("unhandledrejection", ({ reason }: { reason: unknown }) => {
    // Leaving a page aborts what is under way: that is no failure.
    if (!(reason instanceof DOMException && reason.name === "AbortError")) tellService("window", reason);
  });
}

/** What the service is told: not the message, which may hold cards or names, and no query of an address. */
export function failureOf(where: PagePart, error: unknown): FailureReport {
  const isError = error instanceof Error;
  return {
    where,
    error: isError && /^[A-Za-z][A-Za-z0-9_$]{0,39}$/.test(error.name) ? error.name : "Error",
    version: new URL(import.meta.url).pathname.replace(/[^A-Za-z0-9_./-]/g, "_").slice(-LONGEST_PATH),
    stack: isError ? placesOf(error.stack ?? "") : [],
  };
}

function tellService(where: PagePart, error: unknown): void {
  if (!hasService()) return;
  const report = failureOf(where, error);
  const key = JSON.stringify(report);
  if (told.has(key) || told.size >= MOST_REPORTS) return;
  told.add(key);
  // A report that fails is not worth another one.
  ask("POST", "/api/failures", report).catch(() => undefined);
}

function placesOf(stack: string): string[] {
  const places = stack.split("\n").flatMap((line) => {
    const [, name = "", address, row, column] = CHROMIUM.exec(line) ?? OTHERS.exec(line) ?? [];
    if (address === undefined || row === undefined || column === undefined) return [];
    const path = clean(new URL(address).pathname).slice(-LONGEST_PATH);
    return [`${clean(name).slice(0, LONGEST_NAME)} ${path}:${row}:${column}`.trim()];
  });
  return places.slice(0, MOST_PLACES);
}

/** Keep only characters that names of functions and files are made of. */
function clean(text: string): string {
  return text.replace(/[^A-Za-z0-9_$.<>[\] /-]/g, "_");
}
