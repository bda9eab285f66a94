/** How a monkey sees a page and finds something to press: these run in the page, so they stand alone. */

export type Where = "mine" | "theirs" | "over" | "waiting" | "elsewhere";

/** What a page shows. */
interface Standing {
  where: Where;
  /** Parts that have failed. */
  failed: string[];
}

export interface Point {
  x: number;
  y: number;
}

/** Something to press. */
export interface Aim {
  label: string;
  /** A point on it that nothing covers; null if it is covered everywhere. */
  point: Point | null;
  isText: boolean;
  isHint: boolean;
}

interface Chances {
  groups: readonly { weight: number; selector: string }[];
  never: string;
  forGroup: number;
  forThing: number;
}

export function standing(): Standing {
  const has = (selector: string): boolean => document.querySelector(selector) !== null;
  const atTable = (): Where => {
    if (has("section.over")) return "over";
    if (!has("[role=grid]")) return "waiting";
    return has(".turn.yours") ? "mine" : "theirs";
  };
  const parts = [...document.querySelectorAll<HTMLElement>("[data-failed]")];
  return {
    where: location.pathname.startsWith("/table/") ? atTable() : "elsewhere",
    failed: parts.map(({ dataset }) => dataset["failed"] ?? ""),
  };
}

export function clickOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

/** The middle of one of the elements that are drawn; null if there is none. */
export function middleOfOne({ selector, chance }: { selector: string; chance: number }): Point | null {
  const boxes = [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  const drawn = boxes.filter(({ width }) => width > 0);
  const box = drawn[Math.floor(chance * drawn.length)];
  if (box === undefined) return null;
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

/** Pick a group by its weight and one element of it; null if nothing can be pressed. */
export function chosen({ groups, never, forGroup, forThing }: Chances): HTMLElement | null {
  const modal = document.querySelector("dialog:modal");
  const isPressable = (each: HTMLElement): boolean =>
    (modal === null || modal.contains(each)) &&
    !each.matches(":disabled") &&
    each.checkVisibility({ visibilityProperty: true }) &&
    each.querySelector(never) === null;
  const found = groups
    .map(({ weight, selector }) => ({
      weight,
      things: [...document.querySelectorAll<HTMLElement>(selector)].filter(isPressable),
    }))
    .filter(({ things }) => things.length > 0);
  let left = forGroup * found.reduce((sum, { weight }) => sum + weight, 0);
  const things = found.find(({ weight }) => (left -= weight) < 0)?.things ?? [];
  return things[Math.floor(forThing * things.length)] ?? null;
}

/** Where to press an element; a list of options is set here, because a headless browser cannot open one. */
export function aimAt(thing: HTMLElement | null, forPoint: number): Aim {
  if (thing === null) return { label: "nothing", point: null, isText: false, isHint: false };
  if (thing instanceof HTMLSelectElement) {
    thing.selectedIndex = Math.floor(forPoint * thing.options.length);
    thing.dispatchEvent(new Event("change", { bubbles: true }));
    return { label: `the list and choose ${thing.value}`, point: null, isText: false, isHint: false };
  }
  thing.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = thing.getBoundingClientRect();
  const point = { x: x + width * (0.3 + 0.4 * forPoint), y: y + height / 2 };
  return {
    label: (thing.getAttribute("aria-label") ?? thing.textContent)
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 80),
    point: thing.contains(document.elementFromPoint(point.x, point.y)) ? point : null,
    isText: thing instanceof HTMLInputElement && thing.type === "text",
    isHint: thing.querySelector('use[href$="#lightbulb"]') !== null,
  };
}
