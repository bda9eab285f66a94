/** What axe-core finds wrong with a page, and controls whose name does not match their text. */

import axe from "axe-core";
import type { Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules that depend on colours or sizes; they take most of the time. */
const LOOKS = ["color-contrast", "target-size"];

/** Which rules to look for: all, those about looks, or all the others. */
export type Part = "all" | "looks" | "rest";

/** One line for each element that breaks a rule. */
export async function violations(page: Page, part: Part): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return broken(page, part);
}

function broken(page: Page, part: Part): Promise<string[]> {
  return page.evaluate(
    async ({ rules, looks, part }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const without = Object.fromEntries(looks.map((rule) => [rule, { enabled: false }]));
      const { violations } = await axe.run(document, {
        runOnly: part === "looks" ? { type: "rule", values: looks } : { type: "tag", values: rules },
        rules: part === "rest" ? without : {},
        resultTypes: ["violations"],
        // None of these rules reads style sheets.
        preload: false,
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`));
    },
    { rules: RULES, looks: LOOKS, part },
  );
}

/**
 * Controls whose name lacks their visible text: speech users say what they read (WCAG 2.5.3). Hidden numbers
 * and marks are left out because the name spells them out; axe's own rule counts them as words.
 */
export function misnamed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase();
    function written(node: Node): string {
      if (node instanceof Text) return node.data;
      if (!(node instanceof Element) || node.ariaHidden === "true" || !node.checkVisibility()) return "";
      return [...node.childNodes].map(written).join(" ");
    }
    return [...document.querySelectorAll("button[aria-label], a[aria-label]")].flatMap((control) => {
      const [name, text] = [plain(control.ariaLabel ?? ""), plain(written(control))];
      return name.includes(text) ? [] : [`"${text}" is not in the name "${name}"`];
    });
  });
}
