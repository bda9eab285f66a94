/** A player who presses whatever a table shows, in an order that a seed decides. */

import { expect, type Locator, type Page } from "@playwright/test";
import { LANGUAGES, setTo } from "./dressing";
import {
  aimAt,
  chosen,
  clickOn,
  middleOfOne,
  standing,
  type Aim,
  type Point,
  type Where,
} from "./monkeyPage";
import type { Legal } from "../src/api/messages";
import type { Person } from "./person";
import { momentOf } from "./player";
import { chosenFrom } from "./strategy";

/** What can be pressed, by group, and how often each group is taken. */
const GROUPS = [
  { weight: 8, selector: "[data-place]:is(.destination, .reachable, .retreat)" },
  { weight: 2, selector: "[data-place]" },
  { weight: 3, selector: ".hand button" },
  { weight: 6, selector: ".turn .pri:not([aria-disabled=true])" },
  { weight: 3, selector: ".turn :is(button, a)" },
  { weight: 1, selector: ".kinds button" },
  { weight: 2, selector: ".deeds button, .phone-bar button" },
  { weight: 2, selector: ".strip button, .over button" },
  { weight: 2, selector: ".side :is(button, input, [role=log])" },
  { weight: 8, selector: "dialog[open] :is(button, input, select), .picker button" },
  { weight: 1, selector: ".toast button" },
  { weight: 1, selector: "header.top :is(button, select)" },
  { weight: 0.3, selector: "a[href^='/']:not([target], [download])" },
] as const;
/** Buttons that end a game or silence a player; their icon is the same in every language. */
const NEVER = ["ban", "flag", "log-out"].map((icon) => `use[href$="#${icon}"]`).join(", ");
const KEYS = [
  ...["Escape", "Enter", "Space", "Tab", "Shift+Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  ...["Home", "End", "1", "2", "3", "4", "5", "6", "7", "s", "h", "d", "b", "k", "p", "a", "n", "o", "m"],
  ...["Shift+m", "r", "l", "c", "t", "z", "Shift+z", "e", "Shift+?"],
];
const SETTINGS: readonly object[] = [
  ...[true, false].flatMap((isOn) => [
    { confirmMoves: isOn },
    { endTurnItself: isOn },
    { letterKeys: isOn },
    { sound: isOn },
    { motion: isOn ? "auto" : "less" },
    { theme: isOn ? "plan" : "night" },
  ]),
  ...LANGUAGES.map((language) => ({ language })),
  ...["auto", "slow", "normal", "fast", "none"].map((rivals) => ({ rivals })),
];
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;
/** What is clicked to make each kind of choice; the last click does nothing if the choice is already made. */
const PARTS: Readonly<Record<Legal["kind"], (choice: Legal, seat: number) => string[]>> = {
  play: (choice, seat) => [placeOf(choice.place), cardOf(choice, seat), ".turn .pri"],
  retreat: (choice) => [placeOf(choice.place), placeOf(choice.target), ".turn .pri"],
  // No table of the service has the option.
  decline: () => [],
  push: (choice) => [placeOf(choice.place), ".turn .pri"],
  trim: (choice, seat) => [cardOf(choice, seat), ".turn .pri"],
  sail: () => [".kinds button"],
  captain_sail: () => [".kinds button"],
  end_turn: () => [".turn .end"],
};
/** The share of its own turn that it plays on purpose, so that games end. */
const MOVES = 0.25;
const PATIENCE_MS = 60_000;
/** Anything shown for longer than this is skipped. */
const SKIPPED_AFTER_MS = 1_000;
const REMEMBERED = 40;
/** On others' turns it mostly waits, or a game would never end. */
const WAITS = 0.8;

/** Random numbers, reproducible by `seed` (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Monkey {
  /** Games that it has seen to the end. */
  ended = 0;
  /** Turns of others that it has waited for. */
  turns = 0;
  private readonly last: string[] = [];
  private hasEnded = false;

  constructor(
    private readonly person: Person,
    private readonly page: Page,
    private readonly chance: () => number,
    /** The address of a new table, in case there is no rematch. */
    private readonly openTable: () => Promise<string>,
  ) {
    page.on("popup", (popup) => void popup.close());
  }

  /** Press something or wait for the others; true if something was pressed. Fails if the page does. */
  async press(): Promise<boolean> {
    const where = await this.look();
    if (where === "elsewhere") return this.comeBack();
    if (where === "waiting") return this.begin();
    if (where === "theirs" && this.chance() < WAITS) return this.waitForTurn();
    if (where === "over" && !this.hasEnded) this.ended++;
    this.hasEnded = where === "over";
    await (where === "mine" && this.chance() < MOVES ? this.move() : this.doSomething());
    return true;
  }

  /** What the page shows; fails if a part of it has failed or if it has reported a fault. */
  async look(): Promise<Where> {
    const { where, failed } = await this.answerOf(this.page.evaluate(standing));
    const faults = [...failed.map((part) => `failed: ${part}`), ...this.person.faults];
    if (faults.length > 0) throw new Error(`${faults.join("\n")}\n${this.lastPresses()}`);
    return where;
  }

  /** What the page answers; a page that hangs answers nothing, and its last presses say why. */
  private async answerOf<Answer>(asked: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      const hangs = (): void => reject(new Error(`the page hangs\n${this.lastPresses()}`));
      timer = setTimeout(hangs, PATIENCE_MS);
    });
    return await Promise.race([asked, patience]).finally(() => clearTimeout(timer));
  }

  private lastPresses(): string {
    return `after\n  ${this.last.join("\n  ")}`;
  }

  private async doSomething(): Promise<void> {
    const way = this.chance();
    if (way < 0.7) await this.pressSomething();
    else if (way < 0.75) await this.choosePirate();
    else if (way < 0.9) await this.pressKey();
    else if (way < 0.95) await this.drag();
    else if (way < 0.975) await this.set();
    else if (way < 0.99) await this.resize();
    else await this.reload();
  }

  /** Make a choice that the rules allow, or what comes of trying to after all that was pressed before. */
  private async move(): Promise<void> {
    const told = await this.person.look(new URL(this.page.url()).pathname.slice("/table/".length));
    const moment = momentOf(told);
    if (moment === null) return;
    const { legal, view, seat } = moment;
    const choice = this.chance() < 0.7 ? chosenFrom(legal, view, seat) : this.one(legal);
    this.note(`move ${JSON.stringify(choice)}`);
    // Close what is open and clear what is chosen.
    for (const key of ["Escape", "Escape"]) await this.page.keyboard.press(key);
    for (const part of PARTS[choice.kind](choice, seat)) await this.page.evaluate(clickOn, part);
  }

  private async pressSomething(): Promise<void> {
    const [forGroup, forThing, forPoint] = [this.chance(), this.chance(), this.chance()];
    const thing = await this.page.evaluateHandle(chosen, {
      groups: GROUPS,
      never: NEVER,
      forGroup,
      forThing,
    });
    const aim = await thing.evaluate(aimAt, forPoint);
    await thing.dispose();
    this.note(`${aim.point === null ? "miss" : "press"} ${aim.label}`);
    if (aim.point !== null) await this.pressAt(aim, aim.point);
  }

  private async pressAt({ isText, isHint }: Aim, point: Point): Promise<void> {
    const button = this.chance() < 0.04 ? "right" : "left";
    await this.page.mouse.click(point.x, point.y, { button, clickCount: this.chance() < 0.03 ? 2 : 1 });
    if (isText && this.chance() < 0.3) {
      await this.page.keyboard.type("ahoy");
      await this.page.keyboard.press("Enter");
    }
    // Wait for half of the hints, or most would come too late for their turn.
    if (isHint && this.chance() < 0.5) await this.waitForHint();
  }

  /** The keys of the board find the player's own pirates, without which nothing lights up. */
  private async choosePirate(): Promise<void> {
    const place = this.page.locator('[data-place][tabindex="0"]');
    if ((await place.count()) !== 1) return;
    this.note("choose a pirate");
    await place.focus();
    for (let steps = 1 + Math.floor(this.chance() * 5); steps > 0; steps--)
      await this.page.keyboard.press("m");
    await this.page.keyboard.press("Enter");
  }

  private async pressKey(): Promise<void> {
    const key = this.one(KEYS);
    this.note(`key ${key}`);
    await this.page.keyboard.press(key);
  }

  private async drag(): Promise<void> {
    const [from, to] = [await this.somewhere(), await this.somewhere()];
    if (from === null || to === null) return;
    const button = this.chance() < 0.5 ? "left" : "right";
    this.note(`drag ${button} from ${from.x},${from.y} to ${to.x},${to.y}`);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down({ button });
    await this.page.mouse.move(to.x, to.y, { steps: 3 });
    await this.page.mouse.up({ button });
  }

  private async set(): Promise<void> {
    const setting = this.one(SETTINGS);
    this.note(`set ${JSON.stringify(setting)}`);
    await setTo(this.page, setting);
  }

  private async resize(): Promise<void> {
    const size = this.one(SIZES);
    this.note(`resize to ${size.width}`);
    await this.page.setViewportSize(size);
  }

  private async reload(): Promise<void> {
    this.note("reload");
    await this.page.reload();
    await this.page.locator("[role=grid], section.over, .box").first().waitFor();
  }

  private async comeBack(): Promise<boolean> {
    this.note("come back");
    await this.page.goBack();
    return false;
  }

  /** Start the game at the rematch table, or at another one. */
  private async begin(): Promise<boolean> {
    this.note("begin");
    const start = this.page.locator(".box .pri");
    await start.or(this.page.getByRole("grid")).first().waitFor();
    await this.startOrLeave(start);
    await this.page.getByRole("grid").waitFor({ timeout: PATIENCE_MS });
    return false;
  }

  /** The game may begin by itself at any moment, so nothing is waited for. */
  private async startOrLeave(start: Locator): Promise<void> {
    const isWaiting = await start.evaluateAll(
      ([button]) => button instanceof HTMLButtonElement && button.disabled,
    );
    if (isWaiting) await this.page.goto(await this.openTable());
    else await start.evaluateAll(([button]) => button instanceof HTMLElement && button.click());
  }

  private async waitForTurn(): Promise<boolean> {
    this.turns++;
    const awaited = this.page.locator(".turn.yours, section.over").first();
    const isSoon = await awaited.waitFor({ timeout: SKIPPED_AFTER_MS, state: "attached" }).then(
      () => true,
      () => false,
    );
    if (isSoon) return false;
    this.note("skip what is shown");
    await this.page.evaluate(clickOn, "[data-place]");
    await awaited.waitFor({ timeout: PATIENCE_MS, state: "attached" });
    return true;
  }

  private async waitForHint(): Promise<void> {
    // A phone has one button for it and a desk another, of which one is hidden.
    const thinking = this.page.locator('button:disabled:has(use[href$="#lightbulb"])');
    await expect(thinking).toHaveCount(0, { timeout: PATIENCE_MS });
  }

  private async somewhere(): Promise<Point | null> {
    return await this.page.evaluate(middleOfOne, { selector: "[data-place]", chance: this.chance() });
  }

  private one<Thing>(things: readonly Thing[]): Thing {
    const thing = things[Math.floor(this.chance() * things.length)];
    if (thing === undefined) throw new Error("there is nothing to choose from");
    return thing;
  }

  private note(what: string): void {
    this.last.push(what);
    if (this.last.length > REMEMBERED) this.last.shift();
  }
}

function placeOf(place: number | null | undefined): string {
  return `[data-place="${place ?? 0}"]`;
}

function cardOf({ card }: Legal, seat: number): string {
  return `.hand [data-cards="hand-${seat}-${card ?? ""}"]`;
}
