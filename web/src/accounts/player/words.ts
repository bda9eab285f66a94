/** The words of players' pages and ladders. */

import english from "../../words/generated/player.en.json";
import { alsoSay, type Said } from "../../words/words.svelte";

/** A page that exports it is shown when they are there. */
export const ready = alsoSay(
  english,
  import.meta.glob<{ default: Said }>([
    "../../words/generated/player.*.json",
    "!../../words/generated/player.en.json",
  ]),
);
