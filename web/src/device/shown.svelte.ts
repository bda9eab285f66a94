import type { State } from "./wire";

/** How the worker is, for components to show. */
export class Shown {
  /** Null before anybody wanted one. */
  state: State | null = $state.raw(null);
}
