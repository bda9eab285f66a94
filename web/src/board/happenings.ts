/** Tables over the kinds of happening: a new kind does not compile until every table has decided about it. */

import type { Happening } from "../api/messages";

type Kind = Happening["happening"];

export type HappeningOf<Name extends Kind> = Extract<Happening, { happening: Name }>;

/** For each kind a function that takes a happening of that kind, and what else it needs. */
export type ByHappening<Rest extends unknown[], Result> = Readonly<{
  [Name in Kind]: (each: HappeningOf<Name>, ...rest: Rest) => Result;
}>;

/** What a table makes of a happening; undefined if the service is newer than this page and knows more kinds. */
export function decided<Rest extends unknown[], Result>(
  table: ByHappening<Rest, Result>,
  each: Happening,
  ...rest: Rest
): Result | undefined {
  // The table has a function for each kind; the compiler cannot follow that.
  const decide = table[each.happening] as ((each: Happening, ...rest: Rest) => Result) | undefined;
  return decide?.(each, ...rest);
}
