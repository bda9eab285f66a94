/** The words of what this device does without a service. */

import english from "../words/generated/device.en.json";
import { alsoSay, type Said } from "../words/words.svelte";

/** A page that exports it is shown when they are there. */
export const ready = alsoSay(
  english,
  import.meta.glob<{ default: Said }>([
    "../words/generated/device.*.json",
    "!../words/generated/device.en.json",
  ]),
);
