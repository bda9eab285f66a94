/** Where the focus goes when a button removes itself. */

import { tick } from "svelte";

/** Move the focus to the title of a panel, or to any focusable element with an id, after the next redraw. */
export async function focusPanel(id: string): Promise<void> {
  await tick();
  document.getElementById(id)?.focus();
}

/** For `{@attach takeFocus}`: an element that takes the focus as soon as it appears. */
export function takeFocus(element: HTMLElement): void {
  element.focus();
}
