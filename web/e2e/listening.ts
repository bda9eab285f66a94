/** A blind player: finds things by role and name alone, hears what is said, presses keys. */

import type { Locator } from "@playwright/test";
import { tabTo } from "./hands";
import { expect, type Page } from "./test";

export class Ear {
  readonly grid: Locator;

  constructor(
    protected readonly page: Page,
    board: string,
  ) {
    this.grid = page.getByRole("grid", { name: board, exact: true });
  }

  /** Walk to a place with the keys of the board, and choose it. */
  async presses(place: number): Promise<void> {
    await tabTo(this.page, this.grid);
    await this.page.keyboard.press("Home");
    for (let step = 0; step < place; step++) await this.page.keyboard.press("ArrowRight");
    await this.page.keyboard.press("Enter");
  }

  /** Walk to a button of a region, and press it. */
  async pressesButton(region: string, name: string): Promise<void> {
    await tabTo(this.page, this.region(region).getByRole("button", { name, exact: true }));
    await this.page.keyboard.press("Enter");
  }

  /** What the game announces. */
  async hears(text: string): Promise<void> {
    await expect(this.page.locator('[role="status"]#live')).toHaveText(text);
  }

  /** What the player's own keys are answered with. */
  async isAnswered(text: string): Promise<void> {
    await expect(this.page.locator('[role="status"]#live-self')).toHaveText(text);
  }

  async has(one: Locator): Promise<void> {
    await expect(one).toHaveCount(1);
  }

  place(name: string): Locator {
    return this.grid.getByRole("button", { name, exact: true });
  }

  region(name: string): Locator {
    return this.page.getByRole("region", { name, exact: true });
  }
}
