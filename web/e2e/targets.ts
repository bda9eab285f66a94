/** How large the targets of a page are for a pointer, found by pointing around their middle. */

import type { Page } from "@playwright/test";

/** What can be pressed. */
const PRESSABLE = 'a[href], button, input, select, textarea, summary, [role="slider"], [role="tab"]';

/** The targets too small for a circle of `least` pixels, since fingers are round; one line each. */
export function smallTargets(page: Page, within: string, least: number): Promise<string[]> {
  return page.evaluate(
    ({ within, pressable, least }) => {
      /** Half a pixel may fall outside an edge that lies between two pixels. */
      const reach = least / 2 - 0.75;
      const AROUND = [0, 1, 2, 3, 4, 5, 6, 7]
        .map((eighth) => (eighth * Math.PI) / 4)
        .map((angle) => [Math.cos(angle), Math.sin(angle)] as const);

      /** A link or a button in a sentence has the height of its line: WCAG 2.5.8 exempts it. */
      function isInline(element: Element): boolean {
        const words = element.parentElement?.textContent.trim() ?? "";
        // Browsers never make a button quite inline.
        const flows = element.matches("p > button") ? ["inline", "inline-block"] : ["inline"];
        return flows.includes(getComputedStyle(element).display) && words !== element.textContent.trim();
      }

      /** Whether a press at a point hits `element`, directly or through its label. */
      function isHit(element: Element, x: number, y: number): boolean {
        const top = document.elementFromPoint(x, y);
        if (top === null) return false;
        // A question, reason or message covers the page until it is answered or something else is pressed.
        if (top.closest('[role="dialog"], .bubble, .toast')?.contains(element) === false) return true;
        return element.contains(top) || top.closest("label")?.control === element;
      }

      /** The box to aim at: that of the element, or of its label if the element is small. */
      function boxOf(element: Element): DOMRect {
        const own = element.getBoundingClientRect();
        const label = element.closest("label");
        return own.width >= least && own.height >= least ? own : (label ?? element).getBoundingClientRect();
      }

      function isSmall(element: HTMLElement): boolean {
        // Some appear only when the keyboard reaches them.
        const isAway = element.getBoundingClientRect().bottom <= 0;
        if (isAway) element.focus();
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { x, y, width, height } = boxOf(element);
        const isFit = AROUND.every(([right, down]) =>
          isHit(element, x + width / 2 + right * reach, y + height / 2 + down * reach),
        );
        if (isAway) element.blur();
        return !isFit;
      }

      function told(element: HTMLElement): string {
        const { width, height } = boxOf(element);
        const name = element.getAttribute("aria-label") ?? element.textContent.trim();
        return `${Math.round(width)} x ${Math.round(height)}: ${element.tagName.toLowerCase()} "${name.slice(0, 40)}"`;
      }

      /** What lies behind an open dialog cannot be pressed. */
      const root = document.querySelector("dialog:modal") ?? document;
      return [...root.querySelectorAll<HTMLElement>(within)]
        .flatMap((part) => [...part.querySelectorAll<HTMLElement>(pressable)])
        .filter((element) => element.checkVisibility() && !isInline(element))
        .filter(isSmall)
        .map(told);
    },
    { within, pressable: PRESSABLE, least },
  );
}
