/** Three ways to play: with a mouse, with fingers, with keys alone. */

import { expect, type Locator, type Page } from "@playwright/test";
import { HOME } from "../src/board/places";
import type { Hands } from "./player";

/** More Tabs than any page has stops. */
const MOST_TABS = 200;

/** More arrows than any list has options. */
const MOST_ARROWS = 12;

/** What one presses: a radio button itself is for the keyboard and for screen readers. */
function labelOf(radio: Locator): Locator {
  return radio.locator("xpath=ancestor::label");
}

/** The list itself is drawn by the system, out of reach of a test: neither mouse nor finger gets there. */
const pick: Hands["pick"] = async (_, list, index) => {
  await list.selectOption({ index });
};

export const mouse: Hands = {
  looksFirst: false,
  press: (_, target) => target.click(),
  pressPlace: (_, target) => target.click(),
  choose: (_, radio) => labelOf(radio).click(),
  pick,
  async write(page, field, text) {
    await field.click({ clickCount: 3 });
    await page.keyboard.type(text);
  },
};

/**
 * A mouse that is moved to a point and pressed there. Playwright's own click searches the page and listens in
 * it while the button is pressed, which no hand does: measure clicks with this one.
 */
export const bareMouse: Hands = {
  ...mouse,
  press: pressMiddle,
  pressPlace: pressMiddle,
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
  pressPlace: (_, target) => target.tap(),
  choose: (_, radio) => labelOf(radio).tap(),
  pick,
  async write(page, field, text) {
    await field.tap();
    await field.press("ControlOrMeta+a");
    // A keyboard on the screen tells what is written, but no keys.
    await page.keyboard.insertText(text);
  },
};

/** Never uses a pointer: Tab to the board or a button, arrows along the tunnel, Enter. */
export const keys: Hands = {
  looksFirst: false,
  async press(page, target) {
    await tabTo(page, target);
    await page.keyboard.press("Enter");
  },
  async pressPlace(page, target, place) {
    await tabTo(page, page.getByRole("grid"));
    const isNearHome = place > HOME / 2;
    await page.keyboard.press(isNearHome ? "End" : "Home");
    for (let step = isNearHome ? HOME - place : place; step > 0; step--)
      await page.keyboard.press(isNearHome ? "ArrowLeft" : "ArrowRight");
    await expect(target).toBeFocused();
    await page.keyboard.press("Enter");
  },
  async choose(page, radio) {
    const name = (await radio.getAttribute("name")) ?? "";
    await tabTo(page, page.locator(`input[name="${name}"]:checked`));
    for (let arrow = 0; arrow < MOST_ARROWS && !(await radio.isChecked()); arrow++)
      await page.keyboard.press("ArrowDown");
    await expect(radio).toBeChecked();
  },
  async pick(page, list, option) {
    await tabTo(page, list);
    await page.keyboard.press("Home");
    for (let arrow = 0; arrow < option; arrow++) await page.keyboard.press("ArrowDown");
    await expect.poll(() => list.evaluate((each: HTMLSelectElement) => each.selectedIndex)).toBe(option);
  },
  async write(page, field, text) {
    await tabTo(page, field);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
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
