/** The words of a player's page: they come with it, since no table says them. */

import english from "../../words/generated/player.en.json";
import { alsoSay, type Language, type Said } from "../../words/words.svelte";

const files = import.meta.glob<{ default: Said }>([
  "../../words/generated/player.*.json",
  "!../../words/generated/player.en.json",
]);

// English is there as soon as the page is, so that a key always has some words.
alsoSay(english);

/** Bring the words in another language; stays as it is if they cannot be fetched. */
export async function bringWords(language: Language): Promise<void> {
  const file = files[`../../words/generated/player.${language}.json`];
  const brought = await (file?.() ?? { default: english });
  alsoSay(brought.default);
}
