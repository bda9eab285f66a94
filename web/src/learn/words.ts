/** The words of lessons and rulebook. */

import english from "../words/generated/learn.en.json";
import { alsoSay, type Said } from "../words/words.svelte";

/** A page that exports it is shown when they are there. */
export const ready = alsoSay(
  english,
  import.meta.glob<{ default: Said }>([
    "../words/generated/learn.*.json",
    "!../words/generated/learn.en.json",
  ]),
);
