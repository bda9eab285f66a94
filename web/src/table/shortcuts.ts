/** The keys that work anywhere in a game; letters and digits can be switched off. */

/** What a key asks for. */
export type Wanted =
  | { kind: "card"; number: number }
  | {
      kind: "undo" | "undo_turn" | "end_turn" | "clear" | "keys" | "last_move" | "again" | "hands" | "clocks";
    };

/** What is known of a pressed key. */
export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const PLAIN: Readonly<Record<string, Wanted>> = {
  "?": { kind: "keys" },
  z: { kind: "undo" },
  Z: { kind: "undo_turn" },
  e: { kind: "end_turn" },
  l: { kind: "last_move" },
  w: { kind: "again" },
  c: { kind: "hands" },
  t: { kind: "clocks" },
};

/** What a key asks for, null if nothing. Keys together with Ctrl, Alt or Meta belong to the browser. */
export function wantedBy(pressed: Pressed, letterKeys: boolean): Wanted | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  if (pressed.key === "Escape") return { kind: "clear" };
  if (!letterKeys) return null;
  if (/^[1-7]$/.test(pressed.key)) return { kind: "card", number: Number(pressed.key) };
  return PLAIN[plainKey(pressed)] ?? null;
}

/** The key as it is printed; caps lock does not change a letter. */
function plainKey({ key, shiftKey }: Pressed): string {
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/** What to do for each thing that a key asks for. */
export type KeyDeeds = Partial<Record<Wanted["kind"], () => void>>;

/** Do what a key asks for, if it is one of `deeds`. */
export function obey(event: KeyboardEvent, letterKeys: boolean, deeds: KeyDeeds): void {
  if (event.defaultPrevented || isWriting(event.target)) return;
  const wanted = wantedBy(event, letterKeys);
  const deed = wanted === null ? undefined : deeds[wanted.kind];
  if (deed === undefined) return;
  event.preventDefault();
  deed();
}

/** Whether a key was pressed where text is typed or chosen, so that it keeps its own meaning. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog") !== null
  );
}
