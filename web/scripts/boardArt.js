/**
 * Write the art of the boards for the library's pictures: `make board-art`.
 *
 * It draws the boards of the client in Chromium and takes the markup: one template for each board, and the places
 * of pirates, which the library fills in. So there is one drawing and one geometry for browsers and notebooks.
 * With --check it only says whether the art differs from what is committed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { createServer } from "vite";

const WEB = join(dirname(fileURLToPath(import.meta.url)), "..");
const ART = join(WEB, "../src/cartagena/drawing/board_art.json");
const SHELL = process.env.CHROMIUM_SHELL ?? "/usr/bin/chromium-headless-shell";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const START = 0;
const HOME = 37;
const SLOOP = 15;
const MOST = 5;
const SIZE = { width: 1048, height: 552 };
/** What stands between pieces of a board that do not change, in the order of the drawing. */
const SPLIT = {
  escape: { start: START, pirates: null, home: HOME },
  nest: { start: START, home: HOME, pirates: null, sloop: SLOOP },
};
const ABOARD = { escape: {}, nest: { sloop: 3 } };
const DOCKS = { escape: [1], nest: [1, 2] };
const FIGURES = /(?:<use href="#(?:pawn|token)-\d"[^>]*\/>)+/g;
const FIGURE = /<use href="#(pawn|token)-(\d)" ([^>]*)\/>/g;

const crews = (number, places) => Array.from({ length: number }, () => places);
const times = (number, place) => Array.from({ length: number }, () => place);
const round = (text) => Math.round(Number(text) * 100) / 100;
const spacesOf = (family) =>
  Array.from({ length: HOME - 1 }, (_, index) => index + 1).filter(
    (place) => family === "escape" || place !== SLOOP,
  );

/** The pawns, or tokens, in a piece of markup: by crew, each with its place and size. */
function figuresIn(markup, kind) {
  const found = [];
  for (const [, what, crew, attributes] of markup.matchAll(FIGURE)) {
    if (what !== kind) continue;
    const at = Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    (found[Number(crew)] ??= []).push(["x", "y", "width", "height"].map((name) => round(at[name])));
  }
  return found;
}

/** A board: its templates, and where pirates stand and sit. */
async function artOf(page, family) {
  const draw = (pirates, dock = 1) =>
    page.evaluate(([name, there, at]) => window.draw(name, there, at), [family, pirates, dock]);
  const spaces = spacesOf(family);
  return {
    ...SIZE,
    templates: await templatesOf(draw, family, spaces),
    standing: await standingIn(draw, spaces),
    seats: await seatsOf(draw, family),
  };
}

/** The drawing with blanks for signs, words and figures; one for each dock. */
async function templatesOf(draw, family, spaces) {
  const templates = {};
  for (const dock of DOCKS[family]) {
    const [first, ...others] = crews(MOST, times(6, START));
    const names = Object.keys(SPLIT[family]);
    const markup = await draw([[...first, ...spaces], ...others], dock);
    templates[dock] = markup.replace(FIGURES, () => `{{figures ${names.shift()}}}`);
    if (names.length > 0) throw new Error(`${family} lacks figures: ${names.join(", ")}`);
  }
  return templates;
}

/** For each space where one, two and three pirates stand on it. */
async function standingIn(draw, spaces) {
  const standing = {};
  for (const number of [1, 2, 3]) {
    const there = figuresIn(await draw(crews(number, spaces)), "pawn");
    for (const [index, place] of spaces.entries()) {
      standing[place] ??= [];
      standing[place].push(there.map((crew) => crew[index]));
    }
  }
  return standing;
}

/** For each number of crews the seats in each house, taken and waiting. */
async function seatsOf(draw, family) {
  const houses = Object.entries(SPLIT[family]).filter(([, place]) => place !== null);
  const seats = {};
  for (let number = 2; number <= MOST; number++) {
    seats[number] = {};
    for (const [name, place] of houses) {
      for (const dock of name === "sloop" ? DOCKS[family] : [1]) {
        const full = crews(number, times(ABOARD[family][name] ?? 6, place));
        seats[number][name === "sloop" ? `${name} ${dock}` : name] = {
          taken: figuresIn(groupOf(await draw(full, dock), family, name), "pawn"),
          waiting: figuresIn(groupOf(await draw(crews(number, []), dock), family, name), "token"),
        };
      }
    }
  }
  return seats;
}

/** The figures of one house: those of the others are elsewhere in the drawing. */
function groupOf(markup, family, house) {
  const groups = markup.match(FIGURES) ?? [];
  const names = Object.keys(SPLIT[family]).filter((name) => name !== "pirates");
  // A start without pirates draws nothing.
  const drawn = groups.length < names.length ? names.filter((name) => name !== "start") : names;
  return groups[drawn.indexOf(house)] ?? "";
}

async function main() {
  const server = await createServer({
    root: WEB,
    configFile: join(WEB, "vite.config.ts"),
    logLevel: "error",
  });
  await server.listen(0);
  const browser = await chromium.launch({
    executablePath: existsSync(SHELL) ? SHELL : CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.goto(`http://localhost:${server.httpServer.address().port}/art/index.html`);
    await page.waitForFunction(() => "draw" in window);
    const boards = { escape: await artOf(page, "escape"), nest: await artOf(page, "nest") };
    const sheet = readFileSync(join(WEB, "src/ui/generated/signs.svg"), "utf8");
    const signs = Object.fromEntries(
      [...sheet.matchAll(/<symbol id="([^"]+)".*?<\/symbol>/gs)].map(([markup, name]) => [name, markup]),
    );
    const [notice] = /<!--.*?-->/s.exec(sheet);
    const [crews, colours] = await page.evaluate(() => [window.symbols(), window.colours()]);
    return { notice, crews, colours, signs, boards };
  } finally {
    await browser.close();
    await server.close();
  }
}

const art = `${JSON.stringify(await main())}\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(ART, art);
} else if (readFileSync(ART, "utf8") !== art) {
  console.error("the art of the boards differs from that of the client: run `make board-art` and commit it");
  process.exitCode = 1;
}
