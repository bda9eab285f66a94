/**
 * How the pages are tested in a real browser, against a real service: `make test-web`, `screens`, `bench-web`, `lighthouse`,
 * `monkey`, `upgrade-check`.
 */

import { defineConfig } from "@playwright/test";
import { BROWSER } from "./e2e/browser";

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/service.ts",
  // One service for all tests; tests that stop a node have their own node (`harbour.ts`).
  workers: "100%",
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  // The only layer of retries; `reruns.ts` names what needed it.
  retries: process.env["CI"] === undefined ? 0 : 1,
  timeout: 300_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["./e2e/reruns.ts"]],
  use: {
    launchOptions: BROWSER,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    actionTimeout: 10_000,
    trace: process.env["E2E_TRACE"] === undefined ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
  },
  projects: [
    {
      name: "games",
      testIgnore: [/screens\.spec/, /[sS]peed\.spec/, /lighthouse\.spec/, /monkey\.spec/, /upgrade\.spec/],
    },
    { name: "speed", testMatch: /[sS]peed\.spec/, workers: 1 },
    { name: "monkey", testMatch: /monkey\.spec/, retries: 0 },
    { name: "upgrade", testMatch: /upgrade\.spec/ },
    { name: "screens", testMatch: /screens\.spec/ },
    { name: "lighthouse", testMatch: /lighthouse\.spec/, workers: 1 },
  ],
});
