/** Evenings around a device that has no network: who plays what, and how it is operated. */

import type { Language } from "./dressing";
import { beginOn, DeviceSide, type Setting } from "./deviceSide";
import { mouse, touch } from "./hands";
import { DESKTOP, PHONE } from "./person";
import { Player, type Hands } from "./player";
import { test as base, type Page } from "./test";
import { Wording } from "./wording";

export const NAMES = ["Anne", "Bart", "Cora", "Dora", "Emil"] as const;

export interface Evening extends Setting {
  hands: Hands;
  /** How it is left out of CI, where two of these must do. */
  tag?: string;
  /** That of the pages; English if none is named. */
  language?: Language;
}

export const ALONE: Evening = {
  ruleset: "tortuga",
  people: NAMES.slice(0, 1),
  bots: ["sailor"],
  hands: mouse,
};
export const PAIR: Evening = {
  ruleset: "jamaica",
  people: NAMES.slice(0, 2),
  bots: [],
  hands: mouse,
  tag: "@long",
};
export const TRIO: Evening = { ruleset: "nest", people: NAMES.slice(0, 3), bots: [], hands: touch };

/** The person who holds a device. */
class DevicePlayer extends Player {
  constructor(
    override readonly person: DeviceSide,
    page: Page,
    table: string,
    hands: Hands,
    wording: Wording,
  ) {
    super(person, page, table, hands, wording);
  }
}

export const test = base.extend<{ arriveAt: (evening: Evening) => Promise<DevicePlayer> }>({
  /** A device that has fetched the game and then lost its network, and a game that has begun on it. */
  arriveAt: async ({ browser, harbour }, use) => {
    const devices: DeviceSide[] = [];
    await use(async ({ hands, language = "en", ...setting }) => {
      const wording = new Wording(language);
      const look = { ...(hands === touch ? PHONE : DESKTOP), locale: language };
      const device = await DeviceSide.begin(browser, harbour.steady[0] ?? "", look);
      devices.push(device);
      const page = await device.fetchGame("/device", hands, wording);
      await device.context.setOffline(true);
      const table = await beginOn(page, setting, hands, wording);
      return new DevicePlayer(device, page, table, hands, wording);
    });
    for (const device of devices) await device.leave();
  },
});
