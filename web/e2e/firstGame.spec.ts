/** The first game teaches: it is coached, bots are chosen by level, and the next game is one press away. */

import { PHONE } from "./person";
import { expect, test, type Page } from "./test";

const turn = (page: Page) => page.getByRole("region", { name: "Your turn" });

test("a stranger is told the goal and coached in a first game, and never again", async ({
  browser,
  harbour,
}) => {
  const context = await browser.newContext({ baseURL: harbour.node(0), reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/");
  await page.getByText("Sailor", { exact: true }).first().click();
  await page.getByRole("button", { name: "Play now" }).click();
  const welcome = page.getByRole("dialog", { name: /^Bring your six pirates/ });
  await expect(welcome.getByRole("listitem")).toHaveCount(3);
  await expect(welcome).toContainText("You are Red.");
  await welcome.getByRole("button", { name: "Begin" }).click();
  await expect(turn(page)).toContainText("Press one of your pirates");
  await page.getByRole("gridcell").getByRole("button", { name: /^Fort/ }).click();
  await expect(turn(page)).toContainText("A lit space costs you a card");
  await page.reload();
  await expect(turn(page)).toContainText("Press one of your pirates");
  await expect(welcome).toHaveCount(0);
  await turn(page).getByRole("button", { name: "No more tips" }).click();
  await expect(turn(page)).toContainText("Choose a pirate or a card.");
  await page.goto("/");
  await expect(page.getByRole("radio", { name: /^Sailor/ }).first()).toBeChecked();
  await page.getByRole("button", { name: "Play now" }).click();
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(welcome).toHaveCount(0);
  await context.close();
});

test("after a game against bots a rematch and a harder game begin at once", async ({ arrive }) => {
  const person = await arrive("Anne");
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 }, ["sailor"]);
  await person.command(id, "start");
  await person.command(id, "resign");
  const page = await person.open(`/table/${id}`);
  await expect(page.getByRole("button", { name: "Easier: Deckhand" })).toBeVisible();
  await page.getByRole("button", { name: "Harder: Bosun" }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(page.getByText("Bosun").first()).toBeVisible();
  await page.goto(`/table/${id}`);
  await page.getByRole("button", { name: "Rematch" }).dblclick();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.getByRole("grid")).toBeVisible();
});

test("a hint is one press away on a phone", async ({ arrive }) => {
  const person = await arrive("Anne", PHONE);
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2, hints: true }, ["deckhand"]);
  await person.command(id, "start");
  const page = await person.open(`/table/${id}`);
  const hint = turn(page).getByRole("button", { name: "Hint" });
  await expect(hint).toBeVisible({ timeout: 60_000 });
  await hint.click();
  // In one place: what the turn box would say as well is not seen on a phone.
  const advice = page
    .getByRole("main")
    .getByText("Your chance to win is then about")
    .filter({ visible: true });
  await expect(advice).toHaveCount(1, { timeout: 60_000 });
  // What is advised is ready on the button that stood there for a hint.
  await expect(hint).toHaveCount(0);
  await turn(page).locator(".pri").click();
  await expect(hint).toBeVisible();
});

test("a question stands beside what was pressed", async ({ arrive }) => {
  const page = await (await arrive("Anne")).open("/learn/goal");
  await page.getByRole("button", { name: "Show me" }).click();
  await page.getByRole("button", { name: /^Move to / }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  for (const size of [PHONE.viewport, { width: 1366, height: 650 }]) {
    await page.setViewportSize(size);
    await page.getByRole("button", { name: /^Space 35/ }).click();
    const sloop = page.getByRole("button", { name: /^Sloop/ });
    await sloop.click();
    const question = page.getByRole("dialog", { name: "With which card?" });
    const [asked, pressed] = [await question.boundingBox(), await sloop.boundingBox()];
    if (asked === null || pressed === null) throw new Error("one of them is not in sight");
    const between = Math.max(asked.y - pressed.y - pressed.height, pressed.y - asked.y - asked.height);
    expect(between, `${size.width} x ${size.height}`).toBeGreaterThanOrEqual(0);
    expect(between, `${size.width} x ${size.height}`).toBeLessThan(20);
    await question.getByRole("button", { name: "Choose something else" }).click();
    await page.keyboard.press("Escape");
  }
});

test("a message lies on nothing that one plays with, and every press is answered", async ({ arrive }) => {
  const person = await arrive("Anne", PHONE);
  const { id } = await person.openTable({ ruleset: "tortuga", seats: 2 }, ["deckhand"]);
  await person.command(id, "start");
  const page = await person.open(`/table/${id}`);
  await expect(turn(page)).toBeVisible({ timeout: 60_000 });
  for (const size of [PHONE.viewport, { width: 844, height: 390 }, { width: 1366, height: 650 }]) {
    await page.setViewportSize(size);
    // It can be pressed and gives an answer, although it does nothing now.
    await page.getByRole("button", { name: "Undo" }).click({ force: true });
    await expect(page.locator(".toast")).toContainText("You have done nothing");
    expect(await covered(page), `${size.width} x ${size.height}`).toEqual([]);
    await page.locator(".toast").getByRole("button", { name: "Close" }).click();
  }
  await page.getByRole("button", { name: "Move", exact: true }).click({ force: true });
  await expect(turn(page)).toContainText("Choose a pirate or a card.");
  await page
    .getByRole("gridcell")
    .getByRole("button", { name: /^Space 30/ })
    .click();
  await expect(turn(page)).toContainText("No pirate of yours stands there.");
});

/** Controls for playing or chatting that lie under a message. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toast = document.querySelector(".toast")?.getBoundingClientRect();
    if (toast === undefined) return ["no toast"];
    const USED = ".board button, .hand button, .turn button, .deeds button, [role=tab]";
    return [...document.querySelectorAll<HTMLElement>(USED)]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isBeside = right <= toast.left || left >= toast.right;
        return !isBeside && bottom > toast.top && top < toast.bottom;
      })
      .map((element) => element.ariaLabel ?? element.innerText);
  });
}
