/** Three ways to play: with a mouse, with fingers, with keys alone. */

import { expect, type Locator, type Page } from "@playwright/test";
import { HOME } from "../src/board/places";
import { placeButton, type Hands } from "./player";

/** More Tabs than any page has stops. */
const MOST_TABS = 200;

export const mouse: Hands = {
  looksFirst: false,
  press: (_, target) => target.click(),
  pressPlace: (page, view, place) => placeButton(page, view, place).click(),
};

/**
 * A mouse that is moved to a point and pressed there. Playwright's own click searches the page and listens in
 * it while the button is pressed, which no hand does: measure clicks with this one.
 */
export const bareMouse: Hands = {
  looksFirst: false,
  press: pressMiddle,
  pressPlace: (page, view, place) => pressMiddle(page, placeButton(page, view, place)),
};

async function pressMiddle(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error("what is to be pressed is not there");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

export const touch: Hands = {
  looksFirst: true,
  press: (_, target) => target.tap(),
  pressPlace: (page, view, place) => placeButton(page, view, place).tap(),
};

/** Never uses a pointer: Tab to the board or a button, arrows along the tunnel, Enter. */
export const keys: Hands = {
  looksFirst: false,
  async press(page, target) {
    await tabTo(page, target);
    await page.keyboard.press("Enter");
  },
  async pressPlace(page, view, place) {
    await tabTo(page, page.getByRole("grid"));
    const isNearHome = place > HOME / 2;
    await page.keyboard.press(isNearHome ? "End" : "Home");
    for (let step = isNearHome ? HOME - place : place; step > 0; step--)
      await page.keyboard.press(isNearHome ? "ArrowLeft" : "ArrowRight");
    await expect(placeButton(page, view, place)).toBeFocused();
    await page.keyboard.press("Enter");
  },
};

/** Press Tab until the focus is on or inside something. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element.contains(document.activeElement))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab never gets there");
}
