/** Where the focus goes when a button does away with itself. */

import { tick } from "svelte";

/** Lead the focus to the title of a panel, or to any place with an id that can have it, once the page has been drawn anew. */
export async function focusPanel(id: string): Promise<void> {
  await tick();
  document.getElementById(id)?.focus();
}

/** For `{@attach takeFocus}`: an element that takes the focus as soon as it is there. */
export function takeFocus(element: HTMLElement): void {
  element.focus();
}
