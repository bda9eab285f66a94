/** The runs of text on a page: where they are on the screen, and what contrast they need. */

import type { Page } from "@playwright/test";

export interface Run {
  text: string;
  /** In CSS pixels, on the screen as it is scrolled now. */
  box: { x: number; y: number; width: number; height: number };
  needs: number;
}

/** All runs whose whole height is on the screen, even if something covers them. */
export function textRuns(page: Page): Promise<Run[]> {
  return page.evaluate(() => {
    /** WCAG 1.4.3: large is 24 px, or 18.66 px and bold. */
    const [ENOUGH, ENOUGH_LARGE] = [4.5, 3];

    /** The text of a disabled control need not be readable. */
    const isExempt = (element: Element): boolean =>
      element.closest(':disabled, [aria-disabled="true"], option') !== null;

    /** Words for screen readers only are clipped away. */
    function isUnseen(element: Element | null): boolean {
      if (element === null) return false;
      return getComputedStyle(element).clipPath === "inset(50%)" || isUnseen(element.parentElement);
    }

    function needed(element: Element): number {
      const { fontSize, fontWeight } = getComputedStyle(element);
      const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
      const size = parseFloat(fontSize) * Math.hypot(matrix?.a ?? 1, matrix?.b ?? 0);
      return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? ENOUGH_LARGE : ENOUGH;
    }

    /** Whether the letters are whole: of a letter cut by the screen or a box, only soft edges may be left. */
    function isWhole(element: Element | null, rect: DOMRect): boolean {
      if (element === null) return rect.top >= 0 && rect.bottom <= innerHeight;
      const { top, bottom } = element.getBoundingClientRect();
      const isCut =
        getComputedStyle(element).overflowY === "auto" && (rect.top < top || rect.bottom > bottom);
      return !isCut && isWhole(element.parentElement, rect);
    }

    function runsOf(element: Element, text: string, rects: Iterable<DOMRect>) {
      const needs = needed(element);
      return [...rects]
        .filter((rect) => rect.width > 1 && isWhole(element, rect))
        .map(({ x, y, width, height }) => ({ text: text.trim(), box: { x, y, width, height }, needs }));
    }

    /** What lies behind an open dialog is disabled, and dimmed to show it. */
    const root = document.querySelector("dialog:modal") ?? document.body;

    function* texts(): Generator<Text> {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() !== null) yield walker.currentNode as Text;
    }

    const written = [...texts()]
      .filter(({ data }) => data.trim() !== "")
      .flatMap((node) => {
        const parent = node.parentElement;
        if (parent === null || isExempt(parent) || isUnseen(parent) || !parent.checkVisibility()) return [];
        const range = document.createRange();
        range.selectNodeContents(node);
        return runsOf(parent, node.data, range.getClientRects());
      });
    const fields = [...root.querySelectorAll<HTMLInputElement>("input, textarea, select")]
      .filter((field) => !isExempt(field) && field.checkVisibility())
      .map((field) => ({ field, text: field.value || field.placeholder || "" }))
      .filter(({ field, text }) => text !== "" && !["checkbox", "radio", "range"].includes(field.type))
      .flatMap(({ field, text }) => runsOf(field, text, [field.getBoundingClientRect()]));
    return [...written, ...fields];
  });
}
