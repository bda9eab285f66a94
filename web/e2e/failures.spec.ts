/** A part of the table that fails fails alone, says so, reports it to the service, and can be tried again. */

import type { FailureReport } from "../src/api/messages";
import { expect, test } from "./test";

/** The log observes its size to keep its end in sight; here the first attempt fails. */
function breakTheLogOnce(): void {
  let isBroken = true;
  const Whole = ResizeObserver;
  window.ResizeObserver = class extends Whole {
    constructor(callback: ResizeObserverCallback) {
      super(callback);
      if (!isBroken || !String(callback).includes("scrollTo")) return;
      isBroken = false;
      throw new TypeError("Anne holds a hat");
    }
  };
}

test("a log that breaks leaves the table alone, and comes back when it is asked to", async ({ arrive }) => {
  const anne = await arrive("Anne");
  const { id } = await anne.openTable({ ruleset: "tortuga", seats: 2 }, ["random"]);
  await anne.command(id, "start");
  await anne.context.addInitScript(breakTheLogOnce);
  const page = await anne.context.newPage();
  const telling = page.waitForRequest("**/api/failures");
  await page.goto(`/table/${id}`);
  const side = page.getByRole("region", { name: "Log and chat" });
  await expect(side.getByRole("alert")).toContainText("Something went wrong here.");
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(page.getByRole("region", { name: /^Your hand/ })).toBeVisible();

  const told = await telling;
  expect((await told.response())?.status()).toBe(204);
  const report = told.postDataJSON() as FailureReport;
  expect([report.where, report.error]).toEqual(["log", "TypeError"]);
  expect(JSON.stringify(report)).not.toMatch(/Anne|hat|[?]/);

  await side.getByRole("button", { name: "Try again" }).click();
  await expect(side.getByRole("log")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(anne.faults.splice(0)).toEqual([expect.stringContaining("Anne holds a hat")]);
});
