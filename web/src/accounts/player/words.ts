/** The words of a player's page: they are loaded with it, since no table needs them. */

import english from "../../words/generated/player.en.json";
import { alsoSay, type Language, type Said } from "../../words/words.svelte";

const files = import.meta.glob<{ default: Said }>([
  "../../words/generated/player.*.json",
  "!../../words/generated/player.en.json",
]);

// English is loaded with the page, so that a key always has some words.
alsoSay(english);

/** Load the words in another language; nothing changes if they cannot be fetched. */
export async function bringWords(language: Language): Promise<void> {
  const file = files[`../../words/generated/player.${language}.json`];
  const brought = await (file?.() ?? { default: english });
  alsoSay(brought.default);
}
