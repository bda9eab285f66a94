/** A whole turn of The Pirate's Nest by roles, names, keys and speech, word for word in four languages. */

import type { Legal, TableAnswer, View } from "../src/api/messages";
import { HOME, isGold, NEST_SLOOP, numberOf, rowsOf, segmentOf, signOf, START } from "../src/board/places";
import { dress, LANGUAGES } from "./dressing";
import { Ear } from "./listening";
import { NEST_SIGNS, nestSentence } from "./nestSentences";
import type { Person } from "./person";
import { momentOf, type Moment } from "./player";
import { capital, type Language } from "./sentences";
import { expect, test, type Page } from "./test";
import { begun, homeward, playOverWire } from "./wireGame";

const ANNE = 0;
const BART = 1;

/** Every change is tested in two languages, together with `turn.spec.ts`; the rest runs at night. */
const BRIEF: readonly Language[] = ["en"];

for (const language of LANGUAGES) {
  const tag = BRIEF.includes(language) ? [] : "@long";
  test(
    `a turn on the islands can be heard and played with keys, ${language}`,
    { tag },
    async ({ arrive }) => {
      const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
      const page = await anne.context.newPage();
      const listener = new Listener(page, language);
      const first = await begun([anne, bart], { ruleset: "nest" });
      await follow(page, first, language);
      await toNextTurn(anne, bart, first);
      await listener.hearsTurn(await momentAt(anne, first));
      // The wanted turn comes late, and a page that is elsewhere draws nothing until then.
      await page.goto("about:blank");
      const id = await tableOfAllKinds(anne, bart);
      await follow(page, id, language);
      const moment = await momentAt(anne, id);
      await listener.readsEverything(moment);
      await listener.boards(moment);
      await listener.pushes(anne, id);
      await listener.sails(await momentAt(anne, id));
    },
  );
}

/** A player who plays the Nest by ear. */
class Listener extends Ear {
  constructor(
    page: Page,
    private readonly language: Language,
  ) {
    super(page, nestSentence(language, "board"));
  }

  async hearsTurn({ view }: Moment): Promise<void> {
    const number = view.hand_sizes[ANNE] ?? 0;
    await expect(this.page.locator('[role="status"]#live')).toContainText(this.say("turnBegins", { number }));
  }

  /** The board, the hand and the turn box before anything is chosen. */
  async readsEverything({ view }: Moment): Promise<void> {
    for (const [first = START, ...others] of rowsOf("nest")) {
      const segment = segmentOf("nest", first);
      if (segment !== null) {
        const name = this.say("segment", { number: segment + 1 });
        await this.has(this.grid.getByRole("row", { name, exact: true }));
      }
      for (const place of [first, ...others]) await this.hasPlace(view, place);
    }
    await this.readsHand(view);
    await this.readsTurnBox(this.say("turnText"));
  }

  /** Choose a pirate and send it to the sloop. */
  async boards({ view, legal }: Moment): Promise<void> {
    const boarding = boardingOf({ view, legal });
    const place = boarding?.place ?? START;
    const ways = legal.filter((each) => each.kind === "play" && each.place === place);
    const told = ways.map(({ card, target }) => `${this.card(card ?? "")} ${this.spot(target ?? 0)}`);
    await this.presses(place);
    await this.isAnswered(
      this.say("chosen", { here: this.placeWords(place), ways: capital(told.join(", ")) }),
    );
    await this.presses(NEST_SLOOP);
    const number = countAt(view, ANNE, NEST_SLOOP) + 1;
    const card = this.card(boarding?.card ?? "");
    await this.hears(this.say("boarded", { card, from: this.from(place), number }));
  }

  /** Push one of Bart's pirates with the button that says what will happen. */
  async pushes(anne: Person, id: string): Promise<void> {
    const { view, legal } = await momentAt(anne, id);
    const push = pushOf({ view, legal });
    const ends = { from: this.from(push?.start ?? 0), to: this.to(push?.target ?? 0) };
    await this.presses(push?.place ?? START);
    await this.isAnswered(this.say("pushChosen", ends));
    await this.readsTurnBox(this.say("pushText", ends));
    await this.pressesButton(this.say("turn"), this.say("pushButton", ends));
    await expect.poll(async () => (await momentAt(anne, id)).view.actions_used).toBe(2);
    const after = (await momentAt(anne, id)).view;
    await this.hears(this.say("pushed", { ...ends, card: this.card(drawn(view, after)) }));
    await this.readsHand(after);
  }

  /** Cross over with the third action. */
  async sails({ view }: Moment): Promise<void> {
    await this.pressesButton(this.say("kinds"), this.say("sail"));
    const names = [ANNE, BART].flatMap((crew) => {
      const number = countAt(view, crew, NEST_SLOOP);
      return number === 0 ? [] : [this.say("several", { number, name: this.name(crew) })];
    });
    await this.hears(this.say("sailed", { names: names.join(", ") }));
    await this.has(this.place(this.say("sloopAcross", { who: this.who(view, NEST_SLOOP) })));
    await this.readsTurnBox(this.say("nothingMore"));
  }

  private async readsHand(view: View): Promise<void> {
    const cards = view.hands[ANNE] ?? [];
    const hand = this.region(this.say("hand", { number: cards.length }));
    for (const card of new Set(cards)) {
      const number = cards.filter((each) => each === card).length;
      const name = this.say("stack", { card: this.card(card), number });
      await this.has(hand.getByRole("button", { name, exact: true }));
    }
  }

  private async readsTurnBox(text: string): Promise<void> {
    await expect(this.region(this.say("turn")).getByText(text, { exact: true })).toBeVisible();
  }

  /** A place by its name; moves of Bart's last turn may have begun or ended there. */
  private async hasPlace(view: View, place: number): Promise<void> {
    const name = this.nameOf(view, place);
    const marks = (["began", "ended"] as const).map((end) => this.say(end, { number: "[123]" }));
    const called = new RegExp(`^${literal(name)}(\\. (${marks.join("|")}))*$`);
    await this.has(this.grid.getByRole("button", { name: called }));
  }

  private nameOf(view: View, place: number): string {
    const number = numberOf("nest", place);
    const who = this.who(view, place);
    if (number !== null) return this.say("space", { number, sign: this.card(view.board[place] ?? ""), who });
    return this.say(place === START ? "landing" : place === HOME ? "nest" : "sloop", { who });
  }

  private who(view: View, place: number): string {
    const crews = [ANNE, BART].filter((crew) => countAt(view, crew, place) > 0);
    const names = crews.map((crew) => {
      const number = countAt(view, crew, place);
      return number === 1 ? this.name(crew) : this.say("several", { number, name: this.name(crew) });
    });
    if (numberOf("nest", place) === null) return crews.length === 0 ? this.say("nobody") : names.join(", ");
    const number = crews.reduce((sum, crew) => sum + countAt(view, crew, place), 0);
    if (number === 0) return this.say("empty");
    return this.say(number === 1 ? "onePirate" : "morePirates", { number, names: names.join(", ") });
  }

  private name(crew: number): string {
    return crew === ANNE ? this.say("you") : "Bart";
  }

  private card(card: string): string {
    const signs: Record<string, string> = NEST_SIGNS[this.language];
    const sign = signs[signOf(card)] ?? "";
    return isGold(card) ? this.say("freebooter", { sign }) : sign;
  }

  private spot(place: number): string {
    if (place === NEST_SLOOP) return this.say("theSloop");
    return place === START ? this.say("theLanding") : String(numberOf("nest", place));
  }

  private from(place: number): string {
    if (place === NEST_SLOOP) return this.say("fromSloop");
    return place === START
      ? this.say("fromLanding")
      : this.say("fromSpace", { number: numberOf("nest", place) ?? 0 });
  }

  private to(place: number): string {
    return place === NEST_SLOOP
      ? this.say("toSloop")
      : this.say("toSpace", { number: numberOf("nest", place) ?? 0 });
  }

  private placeWords(place: number): string {
    return place === START ? this.spot(place) : this.say("spaceWord", { number: this.spot(place) });
  }

  private say(
    name: Parameters<typeof nestSentence>[1],
    values: Record<string, string | number> = {},
  ): string {
    return nestSentence(this.language, name, values);
  }
}

/** Escape a text for use in a regular expression. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function countAt(view: View, crew: number, place: number): number {
  return (view.pirates[crew] ?? []).filter((each) => each === place).length;
}

/** Whether only one crew stands on a place, so that no question about the pirate follows. */
function isAlone(view: View, crew: number, place: number): boolean {
  return countAt(view, 1 - crew, place) === 0;
}

/** A way into the sloop that raises no question. */
function boardingOf({ view, legal }: Pick<Moment, "view" | "legal">): Legal | undefined {
  const boarding = legal.filter(({ kind, target }) => kind === "play" && target === NEST_SLOOP);
  return boarding.find(({ place, card }) => {
    const isOnlyWay = boarding.filter((each) => each.place === place).length === 1;
    return isOnlyWay && isAlone(view, ANNE, place ?? START) && !isGold(card ?? "");
  });
}

/** A pirate of Bart's that stands apart and whose push gains one card. */
function pushOf({ view, legal }: Pick<Moment, "view" | "legal">): Legal | undefined {
  return legal.find(
    ({ kind, crew, place, gains }) =>
      kind === "push" && crew === BART && gains === 1 && isAlone(view, BART, place ?? START),
  );
}

/** Whether all three kinds of action are possible, whatever the first of them changes. */
function isOfAllKinds(told: TableAnswer): boolean {
  const moment = momentOf(told);
  if (moment === null || moment.view.actions_used > 0 || moment.view.crossing_open) return false;
  const boarding = boardingOf(moment);
  if (boarding === undefined || moment.view.dock !== 1) return false;
  // If one of three leaves, the other two stop a push that would have passed them before.
  if (countAt(moment.view, ANNE, boarding.place ?? START) === 3) return false;
  const later = moment.legal.filter(({ target }) => target !== boarding.place);
  return pushOf({ ...moment, legal: later }) !== undefined;
}

/** Play towards home, boarding for Anne only if she must, so that the wanted turn comes soon. */
function boardingLast(moment: Moment): Legal {
  const others = moment.legal.filter(({ kind, target }) => kind !== "play" || target !== NEST_SLOOP);
  const isWaiting = moment.seat === ANNE && others.some(({ kind }) => kind !== "end_turn");
  return homeward(isWaiting ? { ...moment, legal: others } : moment);
}

/** Play on until Anne's next turn begins. */
async function toNextTurn(anne: Person, bart: Person, id: string): Promise<void> {
  for (const isAnnes of [false, true])
    await playOverWire([anne, bart], id, boardingLast, ({ seat, current }) => {
      return (current.view?.to_act === seat) === isAnnes;
    });
}

/** Play games until Anne may board, push and sail in one turn. */
async function tableOfAllKinds(anne: Person, bart: Person): Promise<string> {
  for (;;) {
    const id = await begun([anne, bart], { ruleset: "nest" });
    await playOverWire([anne, bart], id, boardingLast, isOfAllKinds);
    if (isOfAllKinds(await anne.look(id))) return id;
  }
}

/** Open a table in a language. */
async function follow(page: Page, id: string, language: Language): Promise<void> {
  await page.goto(`/table/${id}`);
  await expect(page.getByRole("grid")).toBeVisible();
  await dress(page, { language, theme: "plan" });
}

async function momentAt(person: Person, id: string): Promise<Moment> {
  const moment = momentOf(await person.look(id));
  if (moment === null) throw new Error(`it is not the turn of ${person.name}`);
  return moment;
}

/** The one card that came into the hand. */
function drawn(before: View, after: View): string {
  const rest = [...(before.hands[ANNE] ?? [])];
  const fresh = (after.hands[ANNE] ?? []).filter((card) => {
    const index = rest.indexOf(card);
    if (index === -1) return true;
    rest.splice(index, 1);
    return false;
  });
  return fresh[0] ?? "";
}
