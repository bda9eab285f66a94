/** The scenes at a table: waiting room, a game of each ruleset in all its states, end and replay. */

import { expect, type Page } from "@playwright/test";
import type { Legal, Terms, View } from "../src/api/messages";
import { setTo } from "./dressing";
import { gameOver } from "./game";
import type { Look, Person } from "./person";
import { momentOf, placeButton } from "./player";
import type { Arrive, Scene, State } from "./scenes";
import { chosenFrom } from "./strategy";

export const gameScenes: readonly Scene[] = [
  { name: "the waiting room", isGame: false, walk: waitingRoom },
  { name: "a game of Tortuga and its replay", isGame: true, walk: tortuga },
  { name: "what can be opened beside a game", isGame: true, walk: beside },
  { name: "a game of Jamaica", isGame: true, walk: jamaica },
  { name: "a game of The Pirate's Nest", isGame: true, walk: nest },
];

async function* waitingRoom(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [host, guest] = [await arrive("Anne", look), await arrive("Bart", look)];
  const { id } = await host.openTable({ ruleset: "tortuga", seats: 3 });
  const page = await host.open(`/table/${id}`);
  await page.getByRole("button", { name: "QR code" }).click();
  await expect(page.getByRole("img", { name: "QR code of the link to this table" })).toBeVisible();
  await page.getByText("The service's own promise").click();
  yield { name: "the host waits, with the picture of the link", page };
  const other = await guest.open(`/table/${id}`);
  await expect(other.getByRole("button", { name: "Sit here" }).first()).toBeVisible();
  yield { name: "a guest has come", page: other };
  await guest.command(id, "sit");
  await guest.command(id, "chat", { text: "Good evening" });
  await host.command(id, "bots", { seat: 2, level: "deckhand" });
  await expect(other.getByRole("heading", { name: "Everybody is here." })).toBeVisible();
  yield { name: "everybody is here, seen by a guest", page: other };
  await page.getByRole("button", { name: "Copy the link" }).click();
  await expect(page.getByRole("region", { name: "Messages" }).getByRole("listitem")).toBeVisible();
  yield { name: "everybody is here, and the host is told something", page };
}

async function* tortuga(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [anne, bart, cora] = [await arrive("Anne", look), await arrive("Bart"), await arrive("Cora", look)];
  const { id, page } = await running(anne, [bart], { ruleset: "tortuga", hints: true });
  await playUntil(bart, [anne, bart], id);
  await expect(turnBox(page)).toBeHidden();
  yield { name: "another's turn", page };
  await playUntil(anne, [anne, bart], id);
  await expect(turnBox(page)).toBeVisible();
  yield { name: "your turn", page };
  yield* choosing(page, anne, id);
  const watching = await cora.open(`/table/${id}`);
  await expect(watching.getByRole("grid")).toBeVisible();
  yield { name: "a game that is watched", page: watching };
  await anne.context.setOffline(true);
  await act(page);
  await expect(page.getByText("Your move will be sent as soon as possible.")).toBeVisible();
  yield { name: "offline, with a move that waits", page };
  await anne.context.setOffline(false);
  await bart.command(id, "resign");
  await expect(gameOver(page)).toBeVisible();
  // The analysis takes a while; it is ready when the replay is opened.
  await anne.ask("POST", `/api/tables/${id}/analysis`);
  yield { name: "game over", page };
  yield* replay(page, id);
}

/** What the turn box and the board show while a choice is being made; nothing is sent. */
async function* choosing(page: Page, person: Person, id: string): AsyncGenerator<State> {
  const { view, legal } = await moment(person, id);
  // A button that says why not is not disabled, but Playwright takes it for one that is.
  await turnBox(page).getByRole("button", { name: "End turn" }).click({ force: true });
  await expect(page.getByRole("link", { name: /^Why\? Rule R/ })).toBeVisible();
  yield { name: "why not", page };
  const back = legal.find(({ kind }) => kind === "retreat") ?? legal[0];
  await placeButton(page, view, back?.place ?? 0).click();
  yield { name: "a pirate chosen", page };
  await page.keyboard.press("Escape");
  await hand(page).first().click();
  yield { name: "a card chosen", page };
  const hint = page.getByRole("button", { name: "Hint" });
  if (!(await hint.isVisible())) await menuButton(page).click();
  await hint.click();
  const advice = page.getByRole("main").getByText("your chance to win is then about");
  await expect(advice.filter({ visible: true })).toBeVisible({ timeout: 60_000 });
  yield { name: "a hint", page };
}

async function* replay(page: Page, id: string): AsyncGenerator<State> {
  await page.goto(`/replay/${id}`);
  await expect(page.getByRole("slider")).toBeVisible();
  yield { name: "the replay at the deal", page };
  await page.getByRole("slider").press("End");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByRole("status").getByRole("listitem").first()).toBeVisible();
  await expect(page.getByText("simulations for each decision")).toBeVisible({ timeout: 120_000 });
  yield { name: "the replay at its end, analysed and verified", page };
}

async function* beside(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [anne, bart] = [await arrive("Anne", look), await arrive("Bart")];
  const clock = { kind: "live", bank: 3600, increment: 10 } as const;
  const { id, page } = await running(anne, [bart], { ruleset: "tortuga", clock });
  // Long enough to make the log scroll.
  for (let round = 0; round < 6; round++) await playUntil(anne, [anne, bart], id);
  await expect(turnBox(page)).toBeVisible();
  await menuButton(page).click();
  yield { name: "the menu of the game", page };
  await page.getByRole("button", { name: "Resign" }).click();
  yield { name: "the menu asks whether to resign", page };
  await page.getByRole("button", { name: "Report Bart" }).click();
  yield { name: "a report is written", page };
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  yield { name: "the list of keys", page };
  await page.keyboard.press("Escape");
  await bart.command(id, "abandon");
  await expect(page.getByText("Asked to abandon the game")).toBeVisible();
  yield { name: "somebody asks to abandon the game", page };
  await bart.command(id, "chat", { text: "I have to go. ".repeat(30) });
  const side = page.getByRole("button", { name: /^Log and chat/ });
  if (await side.isVisible()) await side.click();
  await page.getByRole("tab", { name: /^Chat/ }).click();
  await page.getByRole("button", { name: "More about Bart" }).click();
  yield { name: "the chat, and what can be done about somebody", page };
}

async function* jamaica(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [anne, bart, cora] = [await arrive("Anne", look), await arrive("Bart"), await arrive("Cora")];
  const { id, page } = await running(anne, [bart, cora], { ruleset: "jamaica" });
  await setTo(page, { confirmMoves: true });
  const { view, back } = await retreatFor(anne, [anne, bart, cora], id);
  await expect(turnBox(page)).toBeVisible();
  yield { name: "your turn with hidden hands", page };
  await placeButton(page, view, back.place ?? 0).click();
  await placeButton(page, view, back.target ?? 0).click();
  // A phone shows it in a bubble instead of its turn box.
  await expect(page.getByText("No undo after a draw.").filter({ visible: true })).toBeVisible();
  yield { name: "a draw is to be confirmed", page };
  await anne.command(id, "resign");
  await expect(page.getByText("A bot plays on for your crew.")).toBeVisible();
  yield { name: "resigned", page };
}

async function* nest(arrive: Arrive, look: Look): AsyncGenerator<State> {
  const [anne, bart] = [await arrive("Anne", look), await arrive("Bart")];
  const { id, page } = await running(anne, [bart], { ruleset: "nest" });
  await playUntil(bart, [anne, bart], id);
  yield { name: "another's turn on the islands", page };
  await playUntil(anne, [anne, bart], id);
  await expect(turnBox(page)).toBeVisible();
  yield { name: "your turn on the islands", page };
  const { view, legal } = await moment(anne, id);
  await placeButton(page, view, legal.find(({ kind }) => kind === "push")?.place ?? 0).click();
  yield { name: "a pirate chosen on the islands, or asked which", page };
  await page.keyboard.press("Escape");
  await hand(page).last().click();
  yield { name: "a card chosen on the islands", page };
}

/** A game that has just begun, seen by its first person. */
async function running(
  host: Person,
  guests: readonly Person[],
  terms: Partial<Terms> & Pick<Terms, "ruleset">,
): Promise<{ id: string; page: Page }> {
  const { id } = await host.openTable({ seats: guests.length + 1, ...terms });
  for (const guest of guests) await guest.command(id, "sit");
  await host.command(id, "start");
  const page = await host.open(`/table/${id}`);
  await expect(page.getByRole("grid")).toBeVisible();
  return { id, page };
}

/** Play on until `wanted` is to act, after at least one whole turn of the others. */
async function playUntil(wanted: Person, people: readonly Person[], id: string): Promise<void> {
  for (let isTheirs = false; ;) {
    for (const person of people) {
      const told = await person.look(id);
      const { current } = told;
      const now = momentOf(told);
      if (now === null) continue;
      if (person === wanted && isTheirs) return;
      isTheirs ||= person !== wanted;
      const { code } = chosenFrom(now.legal, now.view, now.seat);
      await person.command(id, "actions", { seq: current.seq, code });
    }
  }
}

/** Play on until `person` can retreat. */
async function retreatFor(
  person: Person,
  people: readonly Person[],
  id: string,
): Promise<{ view: View; back: Legal }> {
  for (;;) {
    await playUntil(person, people, id);
    const { view, legal } = await moment(person, id);
    const back = legal.find(({ kind }) => kind === "retreat");
    if (back !== undefined) return { view, back };
  }
}

async function moment(person: Person, id: string): Promise<NonNullable<ReturnType<typeof momentOf>>> {
  const found = momentOf(await person.look(id));
  if (found === null) throw new Error(`it is not the turn of ${person.name}`);
  return found;
}

/** Send a pirate from the fort to wherever it can go. */
async function act(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Fort/ }).click();
  await page
    .getByRole("button", { name: /Reachable with/ })
    .first()
    .click();
}

function turnBox(page: Page): ReturnType<Page["getByRole"]> {
  return page.getByRole("region", { name: "Your turn" });
}

function menuButton(page: Page): ReturnType<Page["getByRole"]> {
  return page.getByRole("button", { name: "Game menu" });
}

/** The cards that are held. */
function hand(page: Page): ReturnType<Page["getByRole"]> {
  return page.getByRole("region", { name: /^Your hand/ }).getByRole("button", { disabled: false });
}
