/** Following the others: their moves are told one by one, can be skipped and replayed, and delay nobody. */

import type { Legal } from "../src/api/messages";
import { HOME } from "../src/board/places";
import { setTo } from "./dressing";
import { gameOver } from "./game";
import { mouse } from "./hands";
import { DESKTOP, PHONE, type Look, type Person } from "./person";
import { momentOf, Player } from "./player";
import type { Arrive } from "./scenes";
import { expect, test, type Page } from "./test";
import { begun, homeward, playOverWire } from "./wireGame";

const MOVING: Look = { ...DESKTOP, reducedMotion: "no-preference" };
/** How many actions each of the others makes in the observed turn. */
const ACTIONS = 2;

interface Sight {
  title: string;
  sentence: string;
  /** How many actions are in the log. */
  logged: number;
}

/** A table at which Anne watches while Bart and Cora are to move. */
class Watched {
  private constructor(
    readonly id: string,
    readonly page: Page,
    readonly anne: Person,
    /** How many actions were played before. */
    readonly actions: number,
    private readonly others: readonly Person[],
  ) {}

  static async open(arrive: Arrive, look: Look, pace: string): Promise<Watched> {
    const [anne, bart, cora] = [await arrive("Anne", look), await arrive("Bart"), await arrive("Cora")];
    const id = await begun([anne, bart, cora], { ruleset: "tortuga" });
    let played = 0;
    await playOverWire([anne, bart, cora], id, homeward, ({ current: { view } }, actions) => {
      played = actions;
      return actions > 0 && view?.to_act === 1 && view.actions_used === 0;
    });
    const page = await anne.open(`/table/${id}`);
    await expect(page.getByRole("heading", { name: "Bart is moving" })).toBeAttached();
    await setTo(page, { rivals: pace });
    return new Watched(id, page, anne, played, [bart, cora]);
  }

  /** Bart and Cora play faster than the page shows it; what the turn box has to say of each action. */
  async othersMove(): Promise<string[]> {
    const told: string[] = [];
    for (const person of this.others) {
      for (let action = 0; action < ACTIONS; action++)
        told.push(`${person.name} ${await this.plays(person)}`);
      const { current } = await person.look(this.id);
      await person.command(this.id, "actions", { seq: current.seq, code: 0 });
    }
    return told;
  }

  /** All agree to abandon the game. */
  async abandon(): Promise<void> {
    for (const person of [this.anne, ...this.others]) await person.command(this.id, "abandon");
  }

  heading(name: string): ReturnType<Page["getByRole"]> {
    return this.page.getByRole("heading", { name, exact: true });
  }

  /** The turn box while it tells one of these deeds: on a slow machine the first may be gone already. */
  telling(deeds: readonly string[]): ReturnType<Page["getByRole"]> {
    const any = new RegExp(deeds.map((deed) => deed.replaceAll(".", "\\.")).join("|"));
    return this.page.getByRole("region", { name: / is moving$/ }).filter({ hasText: any });
  }

  /** The actions in the log. */
  get logged(): ReturnType<Page["getByRole"]> {
    return this.page.getByRole("log").locator("ul > li");
  }

  /** Everything that is said of the game from now on, in one text. */
  async listen(): Promise<() => Promise<string>> {
    await this.page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const live = document.getElementById("live");
      if (live === null) return;
      new MutationObserver(() => heard.push(live.textContent)).observe(live, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    return () => this.page.evaluate(() => (window as unknown as { heard: string[] }).heard.join(" "));
  }

  /** What turn box and log show together from now on, recorded in the page so that nothing is missed. */
  async follow(): Promise<() => Promise<Sight[]>> {
    await this.page.evaluate(() => {
      const seen: Sight[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const text = (selector: string): string => document.querySelector(selector)?.textContent.trim() ?? "";
        const logged = document.querySelectorAll("[role=log] ul > li").length;
        seen.push({ title: text("#turn-title"), sentence: text(".turn .sentence"), logged });
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    return () => this.page.evaluate(() => (window as unknown as { seen: Sight[] }).seen);
  }

  /** `person` plays a card; returns how the turn box tells it. */
  private async plays(person: Person): Promise<string> {
    const told = await person.look(this.id);
    const play = momentOf(told)?.legal.find(({ kind, target }) => kind === "play" && target !== HOME);
    if (play === undefined) throw new Error(`${person.name} has no card to play`);
    await person.command(this.id, "actions", { seq: told.current.seq, code: play.code });
    return `plays the ${play.card ?? ""}: from ${spot(play.start)} to ${spot(play.target)}.`;
  }
}

function spot(place: Legal["start"]): string {
  return place === 0 ? "the fort" : String(place);
}

test("turns of others come one after the other, and turn box and log tell the same", async ({ arrive }) => {
  const watched = await Watched.open(arrive, MOVING, "normal");
  const { page } = watched;
  await expect(watched.logged).toHaveCount(watched.actions);
  const [heard, followed] = [await watched.listen(), await watched.follow()];
  const told = await watched.othersMove();
  await expect(watched.heading("Your turn")).toBeVisible();
  await expect(watched.logged).toHaveCount(watched.actions + told.length);
  const seen = await followed();
  const places = told.map((deed) =>
    seen.findIndex(
      ({ title, sentence }) => title === `${deed.split(" ")[0] ?? ""} is moving` && sentence.includes(deed),
    ),
  );
  expect(places, JSON.stringify(seen)).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  // The log is drawn a frame after the turn box; it never tells more.
  for (const { sentence, logged } of seen) {
    const deed = told.findIndex((each) => sentence.includes(each));
    if (deed !== -1) expect(logged, sentence).toBeLessThanOrEqual(watched.actions + deed + 1);
  }
  const marked = page.getByRole("grid").getByRole("button", { name: /Bart's action 1 ended here/ });
  await expect(marked).toHaveCount(1);
  await expect.poll(heard).toMatch(/Bart: .*Bart: .*Cora: .*Cora: .*Your turn\./);
  expect((await heard()).match(/(Bart|Cora): /g)).toHaveLength(2 * ACTIONS);
});

const SKIPS: Record<string, (page: Page) => Promise<void>> = {
  "a click": (page) => page.getByRole("region", { name: /^The row/ }).click(),
  Escape: (page) => page.keyboard.press("Escape"),
  "the space bar": (page) => page.keyboard.press("Space"),
};
for (const [way, skip] of Object.entries(SKIPS)) {
  test(`${way} skips what is left, and everything is still said in its order`, async ({ arrive }) => {
    const watched = await Watched.open(arrive, MOVING, "slow");
    const heard = await watched.listen();
    await expect(watched.telling(await watched.othersMove())).toBeVisible();
    await skip(watched.page);
    await expect(watched.heading("Your turn")).toBeVisible({ timeout: 1000 });
    await expect.poll(heard).toMatch(/Bart: .*Bart: .*Cora: .*Cora: .*Your turn\./);
  });
}

for (const [name, look] of Object.entries({
  desk: MOVING,
  phone: { ...PHONE, reducedMotion: "no-preference" },
})) {
  test(`what one presses while others are shown is done at once, ${name}`, async ({ arrive }) => {
    const watched = await Watched.open(arrive, look as Look, "slow");
    const player = new Player(watched.anne, watched.page, watched.id, mouse);
    await expect(watched.telling(await watched.othersMove())).toBeVisible();
    const moment = momentOf(await player.look());
    if (moment === null) throw new Error("it is Anne's turn");
    const play = homeward(moment);
    await player.choose(play, moment);
    expect((await player.look()).current.view?.actions_used).toBe(1);
    await expect(watched.page.getByRole("img", { name: "2 of 3 actions left" }).first()).toBeAttached();
    const marked = watched.page
      .getByRole("grid")
      .getByRole("button", { name: /'s action \d (began|ended) here/ });
    await expect(marked).toHaveCount(0);
  });
}

test("who plans ahead while the end of a game is still to be shown sees the end", async ({ arrive }) => {
  const watched = await Watched.open(arrive, MOVING, "slow");
  const told = await watched.othersMove();
  await watched.abandon();
  await expect(watched.telling(told)).toBeVisible();
  await watched.page.getByRole("button", { name: "Plan ahead" }).click();
  await expect(gameOver(watched.page)).toBeVisible({ timeout: 2000 });
});

test("the last turns can be seen again, by key and from the menu", async ({ arrive }) => {
  const watched = await Watched.open(arrive, DESKTOP, "auto");
  const { page } = watched;
  const told = await watched.othersMove();
  await expect(watched.heading("Your turn")).toBeVisible();
  const lines = watched.actions + told.length;
  await expect(watched.logged).toHaveCount(lines);
  await page.keyboard.press("w");
  for (const deed of told) await expect(watched.telling([deed])).toBeVisible();
  await expect(watched.heading("Your turn")).toBeVisible();
  await page.getByRole("button", { name: "Game menu" }).click();
  await page.getByRole("button", { name: "Show me the last turn again" }).click();
  await expect(watched.heading("Bart is moving")).toBeVisible();
  await expect(watched.logged).toHaveCount(lines);
  await page.keyboard.press("Escape");
  await expect(watched.heading("Your turn")).toBeVisible({ timeout: 1000 });
});

test("the pace is chosen in the menu of the game, and kept", async ({ arrive }) => {
  const watched = await Watched.open(arrive, DESKTOP, "auto");
  const { page } = watched;
  await page.getByRole("button", { name: "Game menu" }).click();
  const group = page.getByRole("group", { name: "Moves of others" });
  await expect(group.getByRole("radio", { name: "At once" })).toBeChecked();
  await group.getByText("Slow").click();
  await page.goto("/settings");
  await expect(
    page.getByRole("group", { name: "Moves of others" }).getByRole("radio", { name: "Slow" }),
  ).toBeChecked();
});
