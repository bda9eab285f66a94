/** "It is your turn", from the service to a browser: offered, allowed, encrypted, shown, followed. */

import type { Worker } from "@playwright/test";
import type { Terms } from "../src/api/messages";
import { dress } from "./dressing";
import { gameOver } from "./game";
import type { Person } from "./person";
import { momentOf } from "./player";
import { PushService, signedBy, type Subscribed } from "./pushService";
import { expect, test, type Page } from "./test";
import { WHOLE_BROWSER } from "./browser";

// A headless browser shows no notices.
test.use({ launchOptions: WHOLE_BROWSER });

const BY_POST: NonNullable<Terms["clock"]> = { kind: "correspondence", days: 3 };
const LIVE: NonNullable<Terms["clock"]> = { kind: "live", bank: 600, increment: 10 };
const HALF_A_DAY = 12 * 3600;

interface Told {
  /** How often the browser was asked for permission, and the key that it was to subscribe with. */
  asked: number;
  key: string;
}

test("a notice reaches a browser that asked for it, and leads to the table", async ({ arrive }) => {
  const post = await PushService.open();
  const [anne, bart] = [await arrive("Anne"), await arrive("Bart")];
  await anne.context.grantPermissions(["notifications"], { origin: anne.url });
  await anne.context.addInitScript(subscribeHere, post.subscription);

  // Nothing is offered after a live game, but after a game of days; only then is permission asked for.
  const page = await finished(anne, bart, LIVE);
  const offer = page.getByRole("region", { name: "Shall this browser tell you when it is your turn?" });
  await expect(page.getByRole("button", { name: "Rematch" })).toBeVisible();
  await expect(offer).toHaveCount(0);
  await finished(anne, bart, BY_POST, page);
  await expect(offer).toBeVisible();
  expect((await toldTo(page)).asked).toBe(0);
  await offer.getByRole("button", { name: "Tell me" }).click();
  await expect(offer).toHaveCount(0);
  const { key, asked } = await toldTo(page);
  expect(asked).toBe(1);

  // Anne's turn comes.
  const table = await annesTurn(anne, bart);
  await expect.poll(() => post.pushed.length, { timeout: 60_000 }).toBe(1);
  const [pushed] = post.pushed;
  if (pushed === undefined) throw new Error("something was pushed");
  const claims = signedBy(key, pushed);
  expect(claims).toMatchObject({ aud: post.origin, sub: "mailto:harbour@example.org" });
  expect(Math.abs(Number(claims["exp"]) - Date.now() / 1000 - HALF_A_DAY)).toBeLessThan(600);
  expect(pushed.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  const words = post.opened(pushed);
  const notice = JSON.parse(words) as Record<string, unknown>;
  // The table and nothing else: no card, no name, no board.
  expect(Object.keys(notice).toSorted()).toEqual(["at", "kind", "seq", "table"]);
  expect(notice).toMatchObject({ kind: "your_turn", table });

  // The browser shows it in the reader's language, and a later notice replaces the first.
  for (const [language, text] of [
    ["de", "Du bist am Zug."],
    ["en", "It is your turn."],
  ] as const) {
    await dress(page, { language, theme: "plan" });
    await deliver(page, words);
    await expect.poll(() => shown(page)).toEqual([{ body: text, tag: table, table }]);
  }

  // A click opens the table, or brings its open tab to the front.
  const worker = anne.context.serviceWorkers()[0] ?? (await anne.context.waitForEvent("serviceworker"));
  expect(await clicked(worker)).toEqual([`open /table/${table}`]);
  await page.goto(`/table/${table}`);
  await expect(page.getByRole("grid")).toBeVisible();
  await deliver(page, words);
  await expect.poll(() => shown(page)).toHaveLength(1);
  expect(await clicked(worker)).toEqual([`focus ${anne.url}/table/${table}`]);
  post.close();
});

/** A game that ends at once, with the page of its winner. */
async function finished(
  anne: Person,
  bart: Person,
  clock: NonNullable<Terms["clock"]>,
  known?: Page,
): Promise<Page> {
  const id = await started(anne, bart, clock);
  const page = known ?? (await anne.context.newPage());
  await page.goto(`/table/${id}`);
  await expect(page.getByRole("grid")).toBeVisible();
  await bart.command(id, "resign");
  await expect(gameOver(page)).toBeVisible();
  return page;
}

/** A correspondence game in which it is Anne's turn. */
async function annesTurn(anne: Person, bart: Person): Promise<string> {
  const id = await started(anne, bart, BY_POST);
  for (let told = await bart.look(id); momentOf(told) !== null; told = await bart.look(id)) {
    const { legal = [] } = momentOf(told) ?? {};
    const choice = legal.find(({ kind }) => kind === "end_turn") ?? legal[0];
    await bart.command(id, "actions", { seq: told.current.seq, code: choice?.code });
  }
  return id;
}

async function started(anne: Person, bart: Person, clock: NonNullable<Terms["clock"]>): Promise<string> {
  const { id } = await anne.openTable({ ruleset: "tortuga", seats: 2, clock });
  await bart.command(id, "sit");
  await anne.command(id, "start");
  return id;
}

/**
 * Runs in the page. A browser subscribes with its maker's push service; here it is ours. Everything the page
 * does before and after that is real.
 */
function subscribeHere({ endpoint, keys }: Subscribed): void {
  const told: Told = { asked: 0, key: "" };
  Object.assign(window, { told });
  if (!("PushManager" in window)) return;
  let isSubscribed = false;
  const subscription = { toJSON: () => ({ endpoint, keys }), unsubscribe: () => Promise.resolve(true) };
  const leave = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = (): Promise<NotificationPermission> => {
    told.asked++;
    return leave();
  };
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(isSubscribed ? subscription : null),
    subscribe: ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      isSubscribed = true;
      const letters = btoa(String.fromCharCode(...applicationServerKey));
      told.key = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      return Promise.resolve(subscription);
    },
  });
}

function toldTo(page: Page): Promise<Told> {
  return page.evaluate(() => (window as unknown as { told: Told }).told);
}

/** Hand a push to the browser, as its push service would. */
async function deliver(page: Page, data: string): Promise<void> {
  // Anything that arrives before the worker is active is lost.
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state));
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(origin) && !isDeleted);
      if (ours !== undefined) resolve(ours.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
  await session.detach();
}

/** The notices on the screen. */
function shown(page: Page): Promise<{ body: string; tag: string; table: string }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notices = await registration.getNotifications();
    return notices.map(({ body, tag, data }) => ({ body, tag, table: (data as { table: string }).table }));
  });
}

/** Click the notice and return what the worker asks of the browser, which obeys only real hands. */
function clicked(worker: Worker): Promise<string[]> {
  return worker.evaluate(async () => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (address: string) => Promise<unknown> };
      WindowClient: { prototype: { focus: () => Promise<unknown>; url: string } };
      NotificationEvent: new (kind: string, options: object) => Event;
    };
    const wishes: string[] = [];
    scope.clients.openWindow = (address) => Promise.resolve(wishes.push(`open ${address}`));
    scope.WindowClient.prototype.focus = function () {
      return Promise.resolve(wishes.push(`focus ${this.url}`));
    };
    const [notification] = await scope.registration.getNotifications();
    const event = new scope.NotificationEvent("notificationclick", { notification });
    self.dispatchEvent(event);
    while (wishes.length === 0) await new Promise((later) => setTimeout(later, 20));
    return wishes;
  });
}
