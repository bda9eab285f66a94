/** Copying a text to another program. */

import { toast } from "../shell/announce.svelte";
import { say } from "../words/words.svelte";

/** Copy a text; without a clipboard, select it in its element so that it can be copied by hand. */
export async function copy(text: string, shown: HTMLElement | undefined): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(say("web.people.copied"), { kind: "good" });
  } catch {
    // Plain http has no clipboard.
    if (shown !== undefined) getSelection()?.selectAllChildren(shown);
    toast(say("web.people.copy_by_hand"));
  }
}
