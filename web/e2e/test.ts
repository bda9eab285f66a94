/** What every test of the pages stands on: the service, and people who come and leave. */

import { test as base, type Page } from "@playwright/test";
import { Harbour } from "./harbour";
import { DESKTOP, Person, type Look } from "./person";

interface Fixtures {
  harbour: Harbour;
  /** Somebody arrives, at one node or the other; everybody leaves at the end, and no page may have had a fault. */
  arrive: (name: string, look?: Look) => Promise<Person>;
}

export const test = base.extend<Fixtures>({
  // Playwright reads from the parameters what a fixture needs; this one needs nothing.
  harbour: async ({}, use) => use(new Harbour()),
  arrive: async ({ browser, harbour }, use) => {
    const people: Person[] = [];
    await use(async (name, look = DESKTOP) => {
      const person = await Person.arrive(browser, harbour.node(people.length), name, look);
      people.push(person);
      return person;
    });
    for (const person of people) await person.leave();
  },
});

export { expect } from "@playwright/test";
export type { Page };
