/** Change the language or theme of a page in place: what is open on it stays open. */

import { expect, type Page } from "@playwright/test";

export const LANGUAGES = ["en", "nl", "de", "sv"] as const;
export type Language = (typeof LANGUAGES)[number];
export const THEMES = ["plan", "night"] as const;

export interface Dress {
  language: Language;
  theme: (typeof THEMES)[number];
}

/** Change settings as if another tab had done so. */
export async function setTo(page: Page, settings: object): Promise<void> {
  await page.evaluate((wanted) => {
    const key = "cartagena.settings";
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}") as object;
    localStorage.setItem(key, JSON.stringify({ ...kept, ...wanted }));
    dispatchEvent(new StorageEvent("storage", { key }));
  }, settings);
}

/** Resolves when the words and colours have stopped changing. */
export async function dress(page: Page, worn: Dress): Promise<void> {
  await setTo(page, worn);
  const root = page.locator("html");
  await expect(root).toHaveAttribute("lang", worn.language);
  await expect(root).toHaveAttribute("data-theme", worn.theme);
  await still(page);
}

/** Wait until the fonts have loaded and nothing moves. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}
