/** The form of a new table: what the service offers, what is chosen, and the way to the table. */

import { ask } from "../api/service";
import { me } from "../shell/me.svelte";
import { go } from "../shell/router.svelte";
import { openTable, playBots } from "./joining";
import { keepChoice, lastChoice } from "./lastChoice";
import { lastLevel } from "./lastLevel.svelte";
import {
  botsOf,
  fitted,
  isAgainstBots,
  presetOf,
  termsOf,
  usualValue,
  type Choice,
  type Option,
  type OptionValue,
  type Rulesets,
} from "./terms";

/** A form for what the service offers; `wanted` takes precedence over the last choice. */
export async function newForm(wanted: Partial<Choice>): Promise<Form> {
  const offered = await ask<Rulesets>("GET", "/api/rulesets");
  // Hints are decided anew for each table.
  const choice = fitted({ ...lastChoice(), hints: false, ...wanted }, offered);
  // A player without an account cannot open a rated table, whatever was chosen last time.
  return new Form(offered, { ...choice, rated: choice.rated && me()?.is_guest === false });
}

export class Form {
  choice: Choice;
  readonly preset = $derived.by(() => presetOf(this.choice, this.offered));
  readonly isAgainstBots = $derived.by(() => isAgainstBots(this.choice));

  constructor(
    readonly offered: Rulesets,
    first: Choice,
  ) {
    this.choice = $state(first);
  }

  /** The levels that a person may choose; the random one is for tests. */
  get levels(): string[] {
    return this.offered.levels.filter((level) => level !== "random");
  }

  /** The current value of an option. */
  valueOf(option: Option): OptionValue {
    return this.choice.options[option.name] ?? usualValue(option, this.choice.edition, this.offered);
  }

  /** Choose an option; the usual value is not kept, so that it follows the edition. */
  setOption(option: Option, value: OptionValue): void {
    const others = Object.entries(this.choice.options).filter(([name]) => name !== option.name);
    const isUsual = value === usualValue(option, this.choice.edition, this.offered);
    this.choice.options = Object.fromEntries(isUsual ? others : [...others, [option.name, value]]);
  }

  /** Another ruleset has other options: none of the old ones are kept. */
  setRuleset(ruleset: string): void {
    Object.assign(this.choice, { ruleset, options: {} });
  }

  /** A rated game needs a clock, and people. */
  setRated(rated: boolean): void {
    this.choice.rated = rated;
    if (rated && this.choice.clock === "none") this.choice.clock = "live";
  }

  /** Open the table and go there; it begins at once if all other seats are bots. */
  async open(): Promise<void> {
    const choice = $state.snapshot(this.choice);
    const open = isAgainstBots(choice) ? playBots : openTable;
    const { id } = await open(termsOf(choice), botsOf(choice));
    keepChoice(choice);
    lastLevel.keep(botsOf(choice));
    go(`/table/${id}`);
  }
}
