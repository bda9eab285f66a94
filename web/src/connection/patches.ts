/** Patches of streams: edits of JSON that say nothing about the game (docs/protocol.md). */

export type Edit = Told | { readonly [key: string]: Edit | 0 };
/** The new value; a list of objects as names and rows; or where a splice begins, how much goes, what comes. */
type Told =
  | readonly [value: unknown]
  | readonly [names: readonly string[], rows: readonly (readonly unknown[])[]]
  | readonly [start: number, gone: number, more: string | readonly unknown[]];

/** What an edit makes of a value; throws if it does not fit. */
export function patched(before: unknown, edit: Edit): unknown {
  if (isTold(edit)) return told(before, edit);
  const copy: object = Array.isArray(before)
    ? [...(before as readonly unknown[])]
    : { ...(before as object) };
  // The members of a list have numbers for names.
  const changed = copy as Record<string, unknown>;
  for (const [key, each] of Object.entries(edit)) {
    if (each === 0) Reflect.deleteProperty(changed, key);
    else changed[key] = patched(changed[key], each);
  }
  return changed;
}

function isTold(edit: Edit): edit is Told {
  return Array.isArray(edit);
}

function told(before: unknown, edit: Told): unknown {
  switch (edit.length) {
    case 1:
      return edit[0];
    case 2:
      return edit[1].map((row) => objectOf(edit[0], row));
    case 3:
      return spliced(before as string | readonly unknown[], ...edit);
  }
}

function spliced(
  before: string | readonly unknown[],
  start: number,
  gone: number,
  more: string | readonly unknown[],
): unknown {
  if (before.length < start + gone) throw new Error("a patch does not fit what was told before");
  if (typeof before === "string") return before.slice(0, start) + String(more) + before.slice(start + gone);
  return before.toSpliced(start, gone, ...(more as readonly unknown[]));
}

function objectOf(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const cells = names.map((name, column) => [name, row[column]] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell != null));
}
