/** A player at a table who makes legal choices with mouse, touch or keys. */

import { expect, type Locator, type Page } from "@playwright/test";
import type { Legal, TableAnswer, View } from "../src/api/messages";
import { familyOf, HOME } from "../src/board/places";
import type { Person } from "./person";
import { chosenFrom } from "./strategy";
import { ENGLISH, type Wording } from "./wording";

const ACTIONS = 3;

/** How a player operates the page. */
export interface Hands {
  /** Whether a complete choice is shown first and has to be confirmed. */
  looksFirst: boolean;
  press(page: Page, target: Locator): Promise<void>;
  /** `target` is the button of the place. */
  pressPlace(page: Page, target: Locator, place: number): Promise<void>;
  /** Choose one of several in a form, by its radio button. */
  choose(page: Page, radio: Locator): Promise<void>;
  /** Choose from a list that drops down, by the number of the option. */
  pick(page: Page, list: Locator, option: number): Promise<void>;
  write(page: Page, field: Locator, text: string): Promise<void>;
}

/** What a player looks at when choosing. */
export interface Moment {
  /** The number of the event that led here. */
  seq: number;
  view: View;
  seat: number;
  legal: readonly Legal[];
  names: readonly string[];
}

export class Player {
  constructor(
    readonly person: Person,
    readonly page: Page,
    readonly table: string,
    readonly hands: Hands,
    /** What the page calls its parts. */
    readonly wording: Wording = ENGLISH,
  ) {}

  /** This player in another tab. */
  at(page: Page): Player {
    return new Player(this.person, page, this.table, this.hands, this.wording);
  }

  look(): Promise<TableAnswer> {
    return this.person.look(this.table);
  }

  /** Make one choice, if it is this player's turn. */
  async act(): Promise<void> {
    const moment = momentOf(await this.look());
    if (moment !== null) await this.choose(chosenFrom(moment.legal, moment.view, moment.seat), moment);
  }

  /** Make a choice by hand, and wait until the service has it and the page shows it. */
  async choose(choice: Legal, moment: Moment): Promise<void> {
    // While moves of others are shown, the player's own buttons are already there.
    await expect(this.buttons).toBeVisible();
    // The answer to the choice before may still be on its way to the screen, and takes away what is chosen till then.
    if (choice.kind !== "trim") await expect(this.lanterns(moment)).toBeVisible();
    const granted = this.person.granted(this.page, this.table, moment);
    // If a press fails first, report that error.
    granted.catch(() => undefined);
    await this.doIt(choice, moment).catch(async (error: unknown) => {
      // The report of a failed test shows one page; the one that failed may be another.
      const page = await this.page.getByRole("main").ariaSnapshot().catch(String);
      throw new Error(`${String(error)}\n${this.person.name} chose ${JSON.stringify(choice)} here:\n${page}`);
    });
    await granted;
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  }

  /** There while it is this player's turn. */
  get turnBox(): Locator {
    return this.region(["web.board.turn.yours", "web.board.turn.trim"]);
  }

  /** What ends the turn or discards, there as soon as this player may choose. */
  private get buttons(): Locator {
    return this.button([
      "web.board.button.end",
      "web.board.button.trim",
      "web.board.button.none_trim",
    ]).first();
  }

  /** How many actions are left, as the page shows it. */
  private lanterns({ view }: Moment): Locator {
    const name = this.wording.like("web.board.turn.left", { number: ACTIONS - view.actions_used });
    return this.page.getByRole("img", { name }).first();
  }

  private async doIt(choice: Legal, moment: Moment): Promise<void> {
    switch (choice.kind) {
      case "end_turn":
        return this.press(["web.board.button.end"]);
      case "sail":
      case "captain_sail":
        return this.press(["web.board.button.sail", "web.board.kind.sail"]);
      case "trim":
        await this.pressCard(choice);
        return this.confirm();
      case "push":
        await this.pressPirate(choice, moment);
        return this.confirm();
      case "play":
      case "retreat":
        await this.pressPirate(choice, moment);
        return this.leadOn(choice, moment);
      case "decline":
        throw new Error("the service offers no table with this option");
    }
  }

  /** The pirate is chosen: press where it goes if that is clear, else the card. */
  private async leadOn(choice: Legal, moment: Moment): Promise<void> {
    const target = choice.target ?? HOME;
    const there = moment.legal.filter((each) => isSamePirate(each, choice, moment) && each.target === target);
    if (target === HOME || there.length > 1) {
      await this.pressCard(choice);
      return this.confirm();
    }
    await this.pressPlace(moment.view, target);
    const mayBeMeant = moment.view.pirates[moment.seat]?.includes(target) === true && choice.reveals === true;
    if (this.hands.looksFirst || mayBeMeant) await this.confirm();
  }

  /** Press where the pirate stands; answer the question if several crews could be meant. */
  private async pressPirate(choice: Legal, moment: Moment): Promise<void> {
    await this.pressPlace(moment.view, choice.place ?? 0);
    const crews = new Set(
      moment.legal.filter(({ place }) => place === choice.place).map((each) => crewOf(each, moment)),
    );
    if (crews.size < 2) return;
    const crew = crewOf(choice, moment);
    const name =
      crew === moment.seat
        ? this.wording.like("web.board.picker.own")
        : this.wording.like("web.board.picker.crew_of", { name: moment.names[crew] ?? "" });
    await this.hands.press(this.page, this.page.getByRole("dialog").getByRole("button", { name }));
  }

  private pressCard(choice: Legal): Promise<void> {
    const name = this.wording.stack(choice.card ?? "");
    return this.hands.press(this.page, this.region("web.board.hand.region").getByRole("button", { name }));
  }

  private pressPlace(view: View, place: number): Promise<void> {
    return this.hands.pressPlace(this.page, placeButton(this.page, view, place, this.wording), place);
  }

  private confirm(): Promise<void> {
    return this.press(["move", "retreat", "push", "trim"].map((key) => `web.board.button.${key}`));
  }

  private press(keys: readonly string[]): Promise<void> {
    return this.hands.press(this.page, this.button(keys));
  }

  private button(keys: readonly string[]): Locator {
    return this.page.getByRole("button", { name: this.wording.like(keys) });
  }

  private region(keys: string | readonly string[]): Locator {
    return this.page.getByRole("region", { name: this.wording.like(keys) });
  }
}

/** What there is to choose from; null if it is another player's turn. */
export function momentOf({ seat, current }: TableAnswer): Moment | null {
  const { view, wishes, table } = current;
  if (seat == null || view == null || wishes == null) return null;
  return {
    seq: current.seq,
    view,
    seat,
    legal: wishes.legal,
    names: table?.chairs.map(({ name }) => name ?? "") ?? [],
  };
}

/** The button of a place on the board. */
export function placeButton(page: Page, view: View, place: number, wording = ENGLISH): Locator {
  return page.getByRole("grid").getByRole("button", { name: wording.place(familyOf(view), place) });
}

function crewOf(choice: Legal, { seat }: Moment): number {
  return choice.crew ?? seat;
}

function isSamePirate(one: Legal, other: Legal, moment: Moment): boolean {
  return one.place === other.place && crewOf(one, moment) === crewOf(other, moment);
}
