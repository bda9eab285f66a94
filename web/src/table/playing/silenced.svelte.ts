/** Whose lines this browser does not show; until the page is left, and only here. */

import { SvelteSet } from "svelte/reactivity";

/** Ids of players, or the names of spectators. */
export const silenced = new SvelteSet<string>();
