/** What every test of the pages needs: the service, and people who come and leave. */

import { test as base, type Page } from "@playwright/test";
import { Harbour } from "./harbour";
import { DESKTOP, Person, type Look } from "./person";

interface Fixtures {
  harbour: Harbour;
  /** Whether the first person arrives at the node that may be stopped. */
  isRestarted: boolean;
  /** Whether everything that their pages receive is recorded. */
  isTapped: boolean;
  /** A person arrives at one of the nodes; everybody leaves at the end, and no page may have had a fault. */
  arrive: (name: string, look?: Look) => Promise<Person>;
}

export const test = base.extend<Fixtures>({
  // Playwright reads a fixture's needs from its parameters; this one needs nothing.
  harbour: async ({}, use) => use(new Harbour()),
  isRestarted: [false, { option: true }],
  isTapped: [false, { option: true }],
  arrive: async ({ browser, harbour, isRestarted, isTapped }, use) => {
    const people: Person[] = [];
    const nodes = isRestarted ? [harbour.restarted, ...harbour.steady] : harbour.steady;
    await use(async (name, look = DESKTOP) => {
      const node = nodes[people.length % nodes.length] ?? "";
      const person = await Person.arrive(browser, node, name, look, isTapped);
      people.push(person);
      return person;
    });
    await Promise.all(people.map((person) => person.leave()));
  },
});

export { expect } from "@playwright/test";
export type { Page };
