/** Signing in with a club's own certified provider: there and back, and what is said if it fails. */

import { randomUUID } from "node:crypto";
import { expect, test, type Page } from "./test";

const BUTTON = { name: "Sign in with Harbour Club" };

/** What the provider asks everyone: a name, and whether this site may know it. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.locator("button[type=submit]").click();
}

test("a guest signs in with the club and stays the same, and is found again elsewhere", async ({
  arrive,
  browser,
  harbour,
}) => {
  // The provider remembers everyone, including from an earlier try.
  const name = `Clubwoman ${randomUUID().slice(0, 8)}`;
  const person = await arrive(name);
  const page = await person.open("/account");
  await page.getByRole("link", BUTTON).click();
  await signInThere(page, name);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole("textbox", { name: "What others call you" })).toHaveValue(name);
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
  await expect(page.getByRole("link", BUTTON)).toHaveCount(0);

  // A new browser, at the other node.
  const context = await browser.newContext({ baseURL: harbour.node(1) });
  const other = await context.newPage();
  await other.goto("/sign-in");
  await other.getByRole("link", BUTTON).click();
  await signInThere(other, name);
  await expect(other).toHaveURL(`${harbour.node(1)}/`);
  await other.goto("/sign-in");
  await expect(other.getByText(`You are signed in as ${name}.`)).toBeVisible();
  await context.close();
});

test("the page for signing in says why the club led to nothing", async ({ arrive }) => {
  const person = await arrive("Anne");
  const page = await person.open("/sign-in?club=name_taken");
  await expect(page.getByRole("main").getByText(/^Another player keeps your name/)).toBeVisible();
  await expect(page.getByRole("link", BUTTON)).toBeVisible();
  await page.goto("/api/sign-in/club/back?state=unknown&code=unknown");
  await expect(page).toHaveURL(/\/sign-in\?club=wrong_proof$/);
  await expect(page.getByRole("main").getByText(/Please sign in once more/)).toBeVisible();
});
