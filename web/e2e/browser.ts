/** Use the browsers that are already installed; nothing is downloaded. */

import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Headless Chromium: a page takes a quarter of the time. */
const SHELL = process.env["CHROMIUM_SHELL"] ?? "/usr/bin/chromium-headless-shell";
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const WHOLE_BROWSER: LaunchOptions = { executablePath: CHROMIUM, args: QUIET };
export const BROWSER: LaunchOptions = { executablePath: existsSync(SHELL) ? SHELL : CHROMIUM, args: QUIET };
