/**
 * Every screen of the client and every state it can be in, as scenes: a scene walks from state to state on one page
 * and stops at each, so that whoever looks at states does not have to know how they come about.
 */

import type { Page } from "@playwright/test";
import { gameScenes } from "./gameScenes";
import type { Look, Person } from "./person";
import { siteScenes } from "./siteScenes";

/** Where a scene stops to be looked at. */
export interface State {
  name: string;
  page: Page;
}

/** How a scene gets its people. */
export type Arrive = (name: string, look?: Look) => Promise<Person>;

export interface Scene {
  /** Whether it plays at a table that is played. */
  isGame: boolean;
  name: string;
  /** The page speaks English whenever the scene goes on. */
  walk: (arrive: Arrive, look: Look) => AsyncGenerator<State>;
}

export const SCENES: readonly Scene[] = [...siteScenes, ...gameScenes];
