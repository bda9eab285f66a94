/** The compact form of updates: rows, whose words a catalogue tells once (docs/protocol.md). */

interface Catalogue {
  readonly happened: Readonly<Record<string, readonly string[]>>;
  readonly choice: readonly string[];
  readonly actions: readonly (readonly [code: number, ...named: unknown[]])[];
  readonly refusals: readonly (readonly [code: string, rule: string])[];
}

/** What the codes are, line by line as runs of fates, and what each legal choice would do. */
interface WishRows {
  readonly lines?: readonly number[];
  readonly fates: readonly (readonly number[])[];
  readonly legal: readonly unknown[];
  readonly retreat_from_start?: number;
}

interface Compact {
  readonly catalogue?: Catalogue;
  readonly happened: readonly unknown[];
  readonly view: object;
  readonly wishes?: WishRows;
}

interface Wishes {
  readonly legal: readonly { readonly code: number }[];
}

const NO_CODE = 0;
const LEGAL = 1;
const FIRST_REFUSAL = 2;

/** The update that a compact one tells; one without a catalogue is left as it is. Throws if it does not fit. */
export function expanded(update: unknown): unknown {
  const { catalogue, ...told } = update as Compact;
  if (catalogue === undefined) return update;
  const happened = told.happened.map((row) => happeningOf(catalogue, row));
  if (told.wishes?.lines === undefined) return { ...told, happened };
  const wishes = wishesOf(catalogue, told.wishes, told.wishes.lines);
  const isTold = !("legal" in told.view) || told.view.legal !== true;
  const view = isTold ? told.view : { ...told.view, legal: wishes.legal.map(({ code }) => code) };
  return { ...told, happened, view, wishes };
}

function happeningOf({ happened }: Catalogue, row: unknown): unknown {
  if (!Array.isArray(row)) return row;
  const [happening, ...values] = row as [string, ...unknown[]];
  const names = known(happened[happening]);
  return { happening, ...Object.fromEntries(names.map((name, column) => [name, values[column]])) };
}

function wishesOf(catalogue: Catalogue, rows: WishRows, lines: readonly number[]): Wishes {
  const legal: { code: number }[] = [];
  const refused = new Map<number, [number, number][]>();
  let code = 0;
  for (const line of lines) {
    const runs = known(rows.fates[line]);
    for (let at = 0; at < runs.length; at += 2) {
      const [fate = NO_CODE, count = 0] = runs.slice(at, at + 2);
      const end = code + count;
      if (fate === LEGAL)
        for (let each = code; each < end; each++)
          legal.push(choiceOf(catalogue, each, rows.legal[legal.length]));
      else if (fate !== NO_CODE) addRun(refused, fate, code, end - 1);
      code = end;
    }
  }
  const start = rows.retreat_from_start;
  return {
    legal,
    refused: [...refused].map(([fate, actions]) => ({ ...reasonOf(catalogue, fate), actions })),
    ...(start === undefined ? {} : { retreat_from_start: reasonOf(catalogue, start) }),
  } as Wishes;
}

function choiceOf({ choice, actions }: Catalogue, code: number, effect: unknown): { code: number } {
  const [first, kind, card, crew, place] = known(actions.findLast(([first]) => first <= code));
  const there = typeof place === "number" ? place + code - first : undefined;
  const done: readonly unknown[] = Array.isArray(effect) ? effect : [effect];
  const start = done[0] == null ? undefined : there;
  const cells = [code, kind, card, crew, there, start, ...done];
  const named = choice.map((name, column) => [name, cells[column]] as const);
  return Object.fromEntries(named.filter(([, cell]) => cell != null)) as { code: number };
}

function addRun(refused: Map<number, [number, number][]>, fate: number, first: number, last: number): void {
  const runs = refused.get(fate) ?? [];
  const before = runs.at(-1);
  if (before?.[1] === first - 1) before[1] = last;
  else runs.push([first, last]);
  refused.set(fate, runs);
}

function reasonOf({ refusals }: Catalogue, fate: number): { code: string; rule: string } {
  const [code, rule] = known(refusals[fate - FIRST_REFUSAL]);
  return { code, rule };
}

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error("a compact update does not fit its catalogue");
  return word;
}
