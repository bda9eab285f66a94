/** People at one device: they play on a page that needs no service, and pass it on. */

import { randomUUID } from "node:crypto";
import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import type { TableAnswer } from "../src/api/messages";
import { answersTo, ASKING, type ToPage, type ToWorker } from "../src/device/wire";
import { isOver } from "./game";
import { mouse } from "./hands";
import { contextOf, DESKTOP, Person, type Look } from "./person";
import { momentOf, type Hands, type Moment, type Player } from "./player";
import { ENGLISH } from "./wording";
import { homeward, isEnding } from "./wireGame";

/** No game is this long; one that is must be going in circles. */
const MOST_STEPS = 2000;
const READY_MS = 60_000;
/** An event of a page: the worker has answered it. */
const ANSWERED = "test answered";

interface Answered {
  path: string | undefined;
  status: number;
}

/** A device, and the person who holds it; the service is asked for nothing but files. */
export class DeviceSide extends Person {
  private last = 0;

  static async begin(browser: Browser, url: string, look: Look = DESKTOP): Promise<DeviceSide> {
    const device = new DeviceSide("the device", url, await contextOf(browser, url, look));
    await device.context.addInitScript(tellAnswers, [answersTo(""), ANSWERED] as const);
    device.watchAll();
    return device;
  }

  /** Prepare the device, and wait until the form is there. */
  async fetchGame(path = "/device", hands: Hands = mouse, wording = ENGLISH): Promise<Page> {
    const page = await this.open(path);
    await hands.press(page, page.getByRole("button", { name: wording.like("web.device.fetch") }));
    await ready(page, wording);
    return page;
  }

  /** Ask the worker as its pages ask. */
  override async ask<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const asked = body === undefined ? null : JSON.stringify({ key: randomUUID(), ...body });
    return JSON.parse(await this.heard(method, path, asked)) as T;
  }

  /** The record of a game, with every choice and every card. */
  record(table: string): Promise<string> {
    return this.heard("GET", `/api/tables/${table}/whole-record`, null);
  }

  /** Resolves when the page has its answer, which it asks of the worker over a channel of its own. */
  override async granted(page: Page, table: string, { view }: Moment): Promise<void> {
    const path = `/api/tables/${table}/actions`;
    const answer = page.evaluate(answered, [ANSWERED, path] as const);
    const status = await withinPatience(answer, path);
    expect(status, `a choice of turn ${view.turn} was answered ${status}`).toBe(200);
  }

  /** What the worker answers, asked over its channel from the first page. */
  private heard(method: string, path: string, body: string | null): Promise<string> {
    const [page] = this.context.pages();
    if (page === undefined) throw new Error("no page is open");
    const name = `test ${++this.last}`;
    const asked: ToWorker = { kind: "ask", page: name, id: 1, method, path, body, name: null };
    const answer = page.evaluate(heard, [ASKING, answersTo(name), asked] as const);
    return withinPatience(answer, `${method} ${path}`);
  }
}

/** In a page: the body of the answer to a request. */
function heard([to, from, message]: readonly [string, string, ToWorker]): Promise<string> {
  return new Promise((resolve) => {
    const [answers, asking] = [new BroadcastChannel(from), new BroadcastChannel(to)];
    // A worker that has just begun does not listen yet; what was asked before is answered as it was then.
    const again = setInterval(() => asking.postMessage(message), 1000);
    answers.onmessage = ({ data }: MessageEvent<{ body: string }>) => {
      clearInterval(again);
      for (const channel of [answers, asking]) channel.close();
      resolve(data.body);
    };
    asking.postMessage(message);
  });
}

/** A worker that does not answer would use up the time of the whole test. */
async function withinPatience<T>(answer: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the worker does not answer: ${what}`)), READY_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Runs in each page, before its own scripts: tells of every answer that the page hears. A channel that was opened only
 * when something has been asked is opened too late for a quick answer.
 */
function tellAnswers([answers, event]: readonly [string, string]): void {
  const paths = new Map<string, string>();
  window.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      if (name.startsWith(answers))
        this.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
          if (data.kind !== "answer") return;
          const detail: Answered = { path: paths.get(`${name} ${data.id}`), status: data.status };
          dispatchEvent(new CustomEvent(event, { detail }));
        });
    }

    override postMessage(message: ToWorker): void {
      if (message.kind === "ask") paths.set(`${answers}${message.page} ${message.id}`, message.path);
      super.postMessage(message);
    }
  };
}

/** In a page: the status of the next answer to a request for a path. */
function answered([event, path]: readonly [string, string]): Promise<number> {
  return new Promise((resolve) => {
    const hear = ({ detail }: CustomEventInit<Answered>): void => {
      if (detail?.path !== path) return;
      removeEventListener(event, hear);
      resolve(detail.status);
    };
    addEventListener(event, hear);
  });
}

/** The engine runs, and the form for a new game is there. */
export async function ready(page: Page, wording = ENGLISH): Promise<void> {
  const heading = page.getByRole("heading", { name: wording.like("web.device.new") });
  await expect(heading).toBeVisible({ timeout: READY_MS });
}

/** What a game on a device is played with. */
export interface Setting {
  ruleset: string;
  people: readonly string[];
  /** Levels of the other seats. */
  bots: readonly string[];
}

/** Fill in the form and begin; returns the id of the table. */
export async function beginOn(
  page: Page,
  { ruleset, people, bots }: Setting,
  hands: Hands = mouse,
  wording = ENGLISH,
): Promise<string> {
  const radio = (group: string, name: RegExp | string) =>
    page.getByRole("group", { name: wording.like(group) }).getByRole("radio", { name });
  const field = (key: string, number: number) => page.getByLabel(wording.like(key, { number }));
  const seats = people.length + bots.length;
  await hands.choose(page, radio("web.open.game", wording.like(`ruleset.${ruleset}`)));
  await hands.choose(page, radio("web.open.seats", `${seats}`));
  for (let seat = 2; seat <= seats; seat++) {
    const list = field("web.open.seat", seat);
    const bot = bots[seat - 1 - people.length];
    await hands.pick(page, list, bot === undefined ? 0 : await optionOf(list, bot));
  }
  for (const [index, name] of people.entries())
    await hands.write(page, field("web.device.name", index + 1), name);
  await hands.press(page, page.getByRole("button", { name: wording.like("web.open.play") }));
  await page.waitForURL(/\/table\//);
  return tableOf(page);
}

/** The number of the option with a value. */
function optionOf(list: Locator, value: string): Promise<number> {
  return list.evaluate(
    (each: HTMLSelectElement, wanted) => [...each.options].findIndex((option) => option.value === wanted),
    value,
  );
}

/** The id of the table at which a page is; on a site of files it stands in the query. */
export function tableOf(page: Page): string {
  const { pathname, searchParams } = new URL(page.url());
  return searchParams.get("id") ?? pathname.split("/").at(-1) ?? "";
}

/** Play a game to its end, or for some steps, passing the device on; `each` runs before every step. */
export async function playOn(
  player: Player,
  steps = MOST_STEPS,
  each: (told: TableAnswer) => Promise<void> = () => Promise.resolve(),
): Promise<TableAnswer> {
  for (let step = 0; step < steps; step++) {
    const told = await player.look();
    if (isOver(told)) return told;
    await each(told);
    await takeStep(player, told);
  }
  return player.look();
}

/** Play without hands until a crew has only one pirate left to bring home. */
export async function playOnToEnding({ person, table }: Player): Promise<void> {
  for (
    let told = await person.look(table);
    !isOver(told) && !isEnding(told);
    told = await person.look(table)
  ) {
    const moment = momentOf(told);
    if (moment !== null && moment.view.to_act === told.seat)
      await person.command(table, "actions", { seq: told.current.seq, code: homeward(moment).code });
    else if (isCovered(told)) await person.command(table, "uncover");
    else await expectMore(person, table, told);
  }
}

/** What the person sees whose turn it is, once they have the device and no bot is to act; or how the game ended. */
export async function onTurn(player: Player): Promise<TableAnswer> {
  const { person, table } = player;
  for (;;) {
    const told = await player.look();
    if (isOver(told) || told.current.view?.to_act === told.seat) return told;
    if (isCovered(told)) await takeDevice(player);
    else await expectMore(person, table, told);
  }
}

/** Whether the person whose turn it is has yet to take the device. */
export function isCovered({ seat, current: { view, table } }: TableAnswer): boolean {
  const toAct = view?.to_act;
  return typeof toAct === "number" && toAct !== seat && table?.chairs[toAct]?.kind === "person";
}

/** Wait until a bot has acted. */
async function expectMore(person: Person, table: string, { current: { seq } }: TableAnswer): Promise<void> {
  const now = async () => (await person.look(table)).current.seq;
  await expect.poll(now, { timeout: READY_MS }).toBeGreaterThan(seq);
}

/** A choice of the person who holds the device, passing it on, or waiting for a bot. */
async function takeStep(player: Player, told: TableAnswer): Promise<void> {
  if (isCovered(told)) await takeDevice(player);
  else if (told.current.view?.to_act === told.seat) await player.act();
  else await expectMore(player.person, player.table, told);
}

/** The one whose turn it is takes the device. */
export async function takeDevice({ hands, page, wording }: Player): Promise<void> {
  const button = page.getByRole("button", { name: wording.like("web.table.pass.go") });
  await hands.press(page, button);
  await expect(button).toBeHidden();
}
