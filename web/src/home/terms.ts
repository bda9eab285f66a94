/** What the player who opens a table chooses, and the terms that follow from it. No network here. */

import type { ClockTerms, Terms } from "../api/messages";
import type { components } from "../api/schema";

export type Rulesets = components["schemas"]["RulesetsMessage"];
export type Preset = components["schemas"]["PresetMessage"];
export type Option = components["schemas"]["OptionMessage"];
export type OptionValue = Option["default"];

/** The form as it is kept for next time; the values of an unused kind of clock stay for a change of mind. */
export interface Choice {
  ruleset: string;
  edition: string;
  /** Only what differs from the edition. */
  options: Record<string, OptionValue>;
  seats: number;
  /** The bot level of each other seat, or null for a person. */
  others: (string | null)[];
  clock: "none" | ClockTerms["kind"];
  bankMinutes: number;
  incrementSeconds: number;
  days: number;
  listed: boolean;
  rated: boolean;
  spectators: boolean;
  /** Whether people who play each other may ask for hints. */
  hints: boolean;
}

export const BANKS: readonly number[] = [3, 5, 10, 15, 20, 30, 45, 60];
export const INCREMENTS: readonly number[] = [0, 5, 10, 15, 20, 30, 60];
export const DAYS: readonly number[] = [1, 2, 3, 5, 7, 14];

export const FIRST_CHOICE: Choice = {
  ruleset: "tortuga",
  edition: "en",
  options: {},
  seats: 2,
  others: [null, null, null, null],
  clock: "none",
  bankMinutes: 10,
  incrementSeconds: 15,
  days: 2,
  listed: true,
  rated: false,
  spectators: true,
  hints: false,
};

/** A kept choice adapted to what the service offers today; odd values become the usual ones. */
export function fitted(kept: Partial<Choice>, offered: Rulesets): Choice {
  const choice = { ...FIRST_CHOICE, ...kept };
  const preset = presetOf(choice, offered);
  const seats = Math.min(Math.max(Math.round(choice.seats) || 0, offered.fewest_seats), offered.most_seats);
  const edition = choice.edition in offered.editions ? choice.edition : FIRST_CHOICE.edition;
  const others = Array.from({ length: offered.most_seats - 1 }, (_, index) => {
    const level = choice.others[index] ?? null;
    return level !== null && offered.levels.includes(level) ? level : null;
  });
  const options = Object.entries(choice.options).filter(([name, value]) => isPossible(preset, name, value));
  return {
    ...choice,
    ruleset: preset.preset,
    seats,
    edition,
    others,
    options: Object.fromEntries(options),
  };
}

/** The ruleset that is chosen, with its options. */
export function presetOf(choice: Choice, offered: Rulesets): Preset {
  const preset = offered.rulesets.find((each) => each.preset === choice.ruleset) ?? offered.rulesets[0];
  if (preset === undefined) throw new Error("the service offers no ruleset");
  return preset;
}

/** The options that leave something to choose. */
export function openOptions(preset: Preset): Option[] {
  return preset.options.filter((option) => option.values === null || option.values.length > 1);
}

/** The default value of an option: the edition's reading, or the ruleset's own. */
export function usualValue(option: Option, edition: string, offered: Rulesets): OptionValue {
  return offered.editions[edition]?.[option.name] ?? option.default;
}

/** The levels of the other seats; a rated game has people only. */
export function levelsOf(choice: Choice): (string | null)[] {
  return choice.others.slice(0, choice.seats - 1).map((level) => (choice.rated ? null : level));
}

/** The bots of the table; the service seats them last. */
export function botsOf(choice: Choice): string[] {
  return levelsOf(choice).filter((level) => level !== null);
}

/** Whether all other seats are bots, so that the game can begin at once. */
export function isAgainstBots(choice: Choice): boolean {
  return botsOf(choice).length === choice.seats - 1;
}

export function termsOf(choice: Choice): Terms {
  return {
    ruleset: choice.ruleset,
    edition: choice.edition,
    options: choice.options,
    seats: choice.seats,
    clock: clockOf(choice),
    listed: choice.listed,
    rated: choice.rated,
    spectators: choice.spectators,
    // Left out where it is off: a node of the previous release does not know it.
    ...(choice.hints && !choice.rated ? { hints: true } : {}),
  };
}

function clockOf(choice: Choice): ClockTerms | null {
  if (choice.clock === "none") return null;
  if (choice.clock === "correspondence") return { kind: "correspondence", days: choice.days };
  return { kind: "live", bank: choice.bankMinutes * 60, increment: choice.incrementSeconds };
}

function isPossible(preset: Preset, name: string, value: OptionValue): boolean {
  const option = preset.options.find((each) => each.name === name);
  if (option === undefined) return false;
  if (option.values !== null) return option.values.includes(value);
  const [lowest, highest] = [option.lowest ?? -Infinity, option.highest ?? Infinity];
  return typeof value === "number" && lowest <= value && value <= highest;
}
