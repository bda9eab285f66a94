/**
 * The page from which the library's pictures are taken: the board of the client, with pirates anywhere.
 *
 * `scripts/boardArt.js` opens it. Every style is written into the element that it applies to, because a picture
 * in a notebook or in a link preview has no style sheet.
 */

import "../src/styles/fonts.css";
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import { flushSync, mount, unmount } from "svelte";
import Picture from "../src/board-view/Picture.svelte";
import { Planning } from "../src/board-view/planning.svelte";
import type { Stage } from "../src/board-view/stage.svelte";
import { layoutOf } from "../src/board/geometry";
import { DARK } from "../src/board/lighting";
import type { Family } from "../src/board/places";
import Defs from "../src/ui/Defs.svelte";
import { say } from "../src/words/words.svelte";

/** Small, because a notebook may only have a wide font. */
const NUMERAL = 13;
const WORDS = [
  "web.board.label.start.escape",
  "web.board.label.start.nest",
  "web.board.label.home.nest",
  "web.board.moored.1",
  "web.board.moored.2",
  "web.board.caption",
];
const PAINT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
];
const LETTERS = [...PAINT, "font-family", "font-size", "font-style", "font-weight", "text-anchor"];
/** What a picture has without being told. */
const USUAL: Readonly<Record<string, string>> = {
  "fill-opacity": "1",
  stroke: "none",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  opacity: "1",
  "font-style": "normal",
  "text-anchor": "start",
};

/** A board with the pirates of each crew at these places, as markup without classes. */
function draw(family: Family, pirates: readonly (readonly number[])[], dock: number): string {
  const layout = layoutOf(family, "wide", pirates.length);
  const stage = { pirates, dock, walk: null, trace: null, isAway: false, isStill: true } as unknown as Stage;
  const target = document.getElementById("board");
  if (target === null) throw new Error("the page has no #board");
  const board = Array.from({ length: 38 }, (_, place) => `{{sign ${place}}}`);
  const picture = mount(Picture, {
    target,
    props: { layout, board, stage, lit: DARK, sign: null, numeral: NUMERAL, planning: new Planning() },
  });
  flushSync();
  const markup = [...target.querySelectorAll(":scope > svg")]
    .flatMap((svg) => [...svg.children])
    .map(written)
    .join("");
  void unmount(picture);
  return markup;
}

/** The pawns and tokens of the crews. */
function symbols(): string {
  return [...document.querySelectorAll("#defs symbol")].map(written).join("");
}

function written(element: Element): string {
  const style = getComputedStyle(element);
  // Lanterns glow by night only.
  if (element.localName === "radialGradient") return "";
  if (style.display === "none" && element.closest("defs") === null) return "";
  const said = WORDS.find((key) => say(key) === element.textContent);
  const inside =
    element.children.length > 0
      ? [...element.children].map(written).join("")
      : said === undefined
        ? element.textContent
        : `{{words ${said}}}`;
  const attributes = [...plain(element), ...styles(element, style)]
    .map(([name, value]) => ` ${name}="${value.replaceAll('"', "'")}"`)
    .join("");
  const name = element.localName;
  return inside.trim() === ""
    ? `<${name}${attributes}/>`
    : `<${name}${attributes}>${inside.trim()}</${name}>`;
}

function plain(element: Element): [string, string][] {
  return [...element.attributes]
    .filter(({ name }) => name !== "class" && name !== "style" && !LETTERS.includes(name))
    .map(({ name, value }): [string, string] => [
      name,
      name === "href" ? value.replace(/^[^#]*/, "") : short(value),
    ]);
}

/** Numbers with two decimals, and colours in six digits: enough to be drawn, and half as long. */
function short(value: string): string {
  return value
    .replaceAll(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100))
    .replaceAll(/rgb\((\d+), (\d+), (\d+)\)/g, (_, ...parts: string[]) => hex(parts.slice(0, 3)))
    .replaceAll(/rgba\(0, 0, 0, 0\)/g, "none")
    .replaceAll(/(\d)px/g, "$1");
}

function hex(parts: readonly string[]): string {
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

function styles(element: Element, style: CSSStyleDeclaration): [string, string][] {
  const found: [string, string][] = [];
  if (element.localName === "use") found.push(["color", short(style.color)], ...told(["opacity"], style));
  else if (element.localName === "text") found.push(...told(LETTERS, style));
  else if (element.localName === "g") found.push(...told(["opacity"], style));
  else if (element.localName !== "symbol") found.push(...told(PAINT, style));
  const isMoved = element.getAttribute("transform") === null && style.transform !== "none";
  return isMoved ? [...found, ["transform", short(style.transform)]] : found;
}

function told(names: readonly string[], style: CSSStyleDeclaration): [string, string][] {
  return names
    .map((name): [string, string] => [name, short(style.getPropertyValue(name))])
    .filter(([name, value]) => value !== USUAL[name])
    .filter(([name]) => !name.startsWith("stroke-") || style.stroke !== "none");
}

/** The colours of a panel beside the board. */
function colours(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    ["paper", "panel", "ink", "ink-2", "rule-2", "gold", "turn-bg", "back-card", "wood-ink"].map((name) => [
      name,
      style.getPropertyValue(`--${name}`).trim(),
    ]),
  );
}

mount(Defs, { target: document.getElementById("defs") ?? document.body });
flushSync();
Object.assign(window, { draw, symbols, colours });
