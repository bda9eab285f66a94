/** The lines of a game that is looked into, and how its text keeps them: as comments, which every reader skips. */

/** The first `step` actions of the game, then `codes`. The first line in a list is the main line. */
export interface Line {
  /** Empty until the reader gives it one. */
  name: string;
  step: number;
  codes: readonly number[];
}

export const LONGEST_NAME = 40;
/** More lines than anybody draws; a link could hold thousands, and a page would stand still over them. */
export const MOST_LINES = 100;
const WRITTEN = /^# line (\d{1,6})((?: \d{1,4})*)(?: "(.*)")?$/;

/** The text of a game with its lines. */
export function withLines(text: string, lines: readonly Line[], length: number): string {
  const [only] = lines;
  const isPlain = lines.length === 1 && only?.step === length && only.codes.length === 0;
  if (isPlain) return text;
  const written = lines.map(({ name, step, codes }) => {
    const title = name === "" ? "" : ` "${name}"`;
    return `# line ${[step, ...codes].join(" ")}${title}\n`;
  });
  return text + written.join("");
}

/** The first lines that a text keeps; those that the game is too short for are left out. */
export function linesIn(text: string, length: number): Line[] {
  const lines: Line[] = [];
  for (const written of text.split("\n")) {
    const [, step, codes = "", name = ""] = WRITTEN.exec(written.trimEnd()) ?? [];
    if (step === undefined || Number(step) > length) continue;
    if (lines.length === MOST_LINES) break;
    lines.push({
      name: name.slice(0, LONGEST_NAME),
      step: Number(step),
      codes: codes.split(" ").filter(Boolean).map(Number),
    });
  }
  return lines;
}

/** How many actions a line has. */
export function lengthOf({ step, codes }: Line): number {
  return step + codes.length;
}

/** The first `at` actions of a line. */
export function cut(line: Line, at: number): Line {
  return { ...line, step: Math.min(line.step, at), codes: line.codes.slice(0, Math.max(0, at - line.step)) };
}

/** The line that has another action after the first `at` of a line. */
export function branched(line: Line, at: number, code: number): Line {
  const { step, codes } = cut(line, at);
  return { name: "", step, codes: [...codes, code] };
}
