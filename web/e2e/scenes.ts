/**
 * Every screen of the client in every state, as scenes: a scene walks from state to state on one page and
 * stops at each, so that a test of the states need not know how to reach them.
 */

import type { Page } from "@playwright/test";
import { deviceScenes } from "./deviceScenes";
import { gameScenes } from "./gameScenes";
import type { Look, Person } from "./person";
import { siteScenes } from "./siteScenes";

/** Where a scene stops for checks. */
export interface State {
  name: string;
  page: Page;
}

/** How a scene gets its people. */
export type Arrive = (name: string, look?: Look) => Promise<Person>;

export interface Scene {
  /** Whether it plays at a table. */
  isGame: boolean;
  name: string;
  /** The page is in English whenever the scene continues. */
  walk: (arrive: Arrive, look: Look) => AsyncGenerator<State>;
}

export const SCENES: readonly Scene[] = [...siteScenes, ...deviceScenes, ...gameScenes];
