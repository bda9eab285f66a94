/** A whole turn of Tortuga by roles, names, keys and speech alone, word for word in four languages. */

import type { View } from "../src/api/messages";
import { dress, LANGUAGES } from "./dressing";
import { Ear } from "./listening";
import type { Person } from "./person";
import { momentOf } from "./player";
import { capital, sentence, SIGNS, type Language } from "./sentences";
import { expect, test, type Page } from "./test";

const FORT = 0;
const SLOOP = 37;
/** The order in which the service lists cards. */
const IN_ORDER = ["bottle", "dagger", "hat", "key", "pistol", "skull"];

/** The other two languages run at night. */
const BRIEF: readonly Language[] = ["en", "de"];

for (const language of LANGUAGES) {
  const tag = BRIEF.includes(language) ? [] : "@long";
  test(`a whole turn can be heard and played with keys, ${language}`, { tag }, async ({ arrive }) => {
    const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
    const id = await tableThatBartBegins(anne, bart);
    const page = await anne.open(`/table/${id}`);
    await expect(page.getByRole("grid")).toBeVisible();
    await dress(page, { language, theme: "plan" });
    const listener = new Listener(page, language);
    await listener.hearsBart(bart, id);
    const view = await viewOf(anne, id);
    await listener.readsEverything(view);
    await listener.playsAWholeTurn(anne, id, view);
  });
}

/** A player who plays Tortuga by ear. */
class Listener extends Ear {
  constructor(
    page: Page,
    private readonly language: Language,
  ) {
    super(page, sentence(language, "board"));
  }

  /** Bart plays one card and ends the turn. */
  async hearsBart(bart: Person, id: string): Promise<void> {
    const told = await bart.look(id);
    const play = momentOf(told)?.legal.find(({ kind }) => kind === "play");
    const after = await bart.command(id, "actions", { seq: told.current.seq, code: play?.code });
    await this.hears(this.say("bartPlayed", { sign: play?.card ?? "", to: play?.target ?? 0 }));
    await bart.command(id, "actions", { seq: after.seq, code: 0 });
    await this.hears(this.say("turnBegins"));
  }

  /** The board, the hand, the row and the turn box before anything is chosen. */
  async readsEverything(view: View): Promise<void> {
    for (let number = 1; number <= 6; number++) {
      await this.has(this.grid.getByRole("row", { name: this.say("segment", { number }), exact: true }));
    }
    await this.has(this.place(this.say("fortAtFirst")));
    await this.has(this.place(this.say("sloop")));
    for (let number = FORT + 1; number < SLOOP; number++)
      await this.has(this.place(this.space(view, number)));
    await this.readsHand(view, 6);
    const row = this.region(this.say("row")).getByRole("listitem");
    await expect(row).toHaveText(view.row.map((card) => SIGNS[this.language][card] ?? ""));
    await this.readsTurnBox("turnText");
    for (const button of ["undo", "end", "move"] as const) {
      await this.has(
        this.region(this.say("turn")).getByRole("button", { name: this.say(button), exact: true }),
      );
    }
  }

  async playsAWholeTurn(anne: Person, id: string, view: View): Promise<void> {
    const reached = IN_ORDER.filter((sign) => handOf(view).includes(sign)).map((sign) => ({
      sign,
      to: nextVacant(view, sign, FORT),
    }));
    const [near, far] = [reached.reduce(nearer), reached.reduce(farther)];
    await this.presses(FORT);
    const ways = reached.map(({ sign, to }) => this.way(sign, to)).join(", ");
    await this.isAnswered(this.say("fort", { ways: capital(ways) }));
    await this.has(this.place(this.say("fortChosen")));
    for (const { sign, to } of reached) {
      await this.has(this.place(this.say("spaceReachable", { number: to, sign })));
    }
    await this.readsTurnBox("goalText");
    await this.page.keyboard.press("r");
    await this.isAnswered(this.say("noRetreat"));
    await this.presses(near.to);
    await this.hears(this.say("played2", near));
    await this.presses(FORT);
    await this.presses(far.to);
    await this.hears(this.say("played1", far));
    await this.goesBackTwice(await viewOf(anne, id), far.to);
    await this.endsTheTurn(await viewOf(anne, id));
  }

  /** Retreat, undo it, and retreat again. */
  private async goesBackTwice(view: View, from: number): Promise<void> {
    const to = companyBehind(view, from);
    const ways = IN_ORDER.filter((sign) => handOf(view).includes(sign))
      .map((sign) => this.way(sign, nextVacant(view, sign, from)))
      .join(", ");
    const back = this.say("back", { from, to, sign: view.row[0] ?? "" });
    await this.presses(from);
    await this.isAnswered(this.say("space", { number: from, ways: capital(ways), to }));
    await this.page.keyboard.press("r");
    await this.hears(back);
    await this.page.keyboard.press("z");
    await this.hears(this.say("undone"));
    await this.presses(from);
    await this.page.keyboard.press("r");
    await this.hears(back);
  }

  private async endsTheTurn(view: View): Promise<void> {
    await this.readsHand(view, 5);
    await this.readsTurnBox("nothingMore");
    await this.pressesButton(this.say("turn"), this.say("end"));
    await this.has(this.page.getByRole("heading", { name: this.say("bartMoves"), exact: true }));
  }

  private async readsHand(view: View, number: number): Promise<void> {
    const hand = this.region(this.say("hand", { number }));
    for (const sign of Object.keys(SIGNS[this.language])) {
      const held = handOf(view).filter((card) => card === sign).length;
      await this.has(
        hand.getByRole("button", { name: this.say("stack", { sign, number: held }), exact: true }),
      );
    }
  }

  private async readsTurnBox(name: Parameters<typeof sentence>[1]): Promise<void> {
    await expect(this.region(this.say("turn")).getByText(this.say(name), { exact: true })).toBeVisible();
  }

  private space(view: View, number: number): string {
    const isTaken = view.pirates.some((places) => places.includes(number));
    return this.say(isTaken ? "spaceOfBart" : "spaceEmpty", { number, sign: view.board[number] ?? "" });
  }

  private way(sign: string, to: number): string {
    return `${SIGNS[this.language][sign] ?? ""} ${to === SLOOP ? this.say("theSloop") : to}`;
  }

  private say(name: Parameters<typeof sentence>[1], values: Record<string, string | number> = {}): string {
    return sentence(this.language, name, values);
  }
}

interface Way {
  sign: string;
  to: number;
}

function nearer(one: Way, other: Way): Way {
  return other.to < one.to ? other : one;
}

function farther(one: Way, other: Way): Way {
  return other.to > one.to ? other : one;
}

function handOf(view: View): readonly string[] {
  return view.hands[view.seat ?? 0] ?? [];
}

function howManyAt(view: View, place: number): number {
  return view.pirates.flat().filter((each) => each === place).length;
}

/** R3.3: the next vacant space with the sign, else the sloop. */
function nextVacant(view: View, sign: string, from: number): number {
  const found = view.board.findIndex(
    (each, place) => place > from && each === sign && howManyAt(view, place) === 0,
  );
  return found === -1 ? SLOOP : found;
}

/** R4.1: the nearest space behind with one or two pirates. */
function companyBehind(view: View, from: number): number {
  let place = from - 1;
  while (![1, 2].includes(howManyAt(view, place))) place--;
  return place;
}

async function viewOf(person: Person, id: string): Promise<View> {
  const { view } = (await person.look(id)).current;
  if (view == null) throw new Error("the cards are dealt");
  return view;
}

/** The first player and the deal are random: open tables until they suit. */
async function tableThatBartBegins(anne: Person, bart: Person): Promise<string> {
  for (;;) {
    const { id } = await anne.openTable({ ruleset: "tortuga", seats: 2 });
    await bart.command(id, "sit");
    await anne.command(id, "start");
    const view = await viewOf(anne, id);
    if (view.to_act === 1 && new Set(handOf(view)).size > 1) return id;
  }
}
