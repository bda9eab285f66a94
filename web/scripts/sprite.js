/**
 * Write the two icon sheets that screens refer to: the game's signs and the controls.
 *
 * They stay separate files, apart from the code: the game-icons are CC BY 3.0 (see `/credits`).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const UI = join(dirname(fileURLToPath(import.meta.url)), "../src/ui");
const NOTICE =
  "<!-- Icons made by sbed, Lorc, Delapouite and Faithtoken, from https://game-icons.net, CC BY 3.0 " +
  "https://creativecommons.org/licenses/by/3.0/, recoloured. Hat, dagger, pistol, bucket and whistle: the Cartagena contributors. " +
  "Controls: Lucide, ISC. -->";

/** Our word for a picture, and its name in the set; signs by their words in the glossary. */
const GAME_ICONS = {
  skull: "death-skull",
  bottle: "brandy-bottle",
  key: "skeleton-key",
  parrot: "parrot-head",
  chest: "locked-chest",
  telescope: "spyglass",
  ducats: "two-coins",
  map: "treasure-map",
  cannon: "cannon",
  compass: "compass",
  lantern: "lantern-flame",
  captain: "ship-wheel",
  nest: "pirate-flag",
  draw: "card-draw",
  anchor: "anchor",
  palm: "palm-tree",
};
const OWN = ["hat", "dagger", "pistol", "bucket", "whistle"];
const CONTROLS = (
  "undo-2 arrow-right arrow-left check chevron-right chevron-left chevrons-right chevrons-left chevron-down play pause " +
  "settings volume-2 volume-x moon sun message-circle scroll-text eye eye-off users user clock plus minus link lock " +
  "circle-question-mark skip-back skip-forward bot send graduation-cap share-2 download layers archive sailboat " +
  "accessibility list triangle-alert flag menu x copy qr-code languages log-in log-out key-round smartphone bell " +
  "trash-2 pencil ban shield trophy lightbulb wifi-off refresh-cw house swords search info star crown keyboard"
).split(" ");

function symbol(id, viewBox, body) {
  return `<symbol id="${id}" viewBox="${viewBox}">${body}</symbol>`;
}

function signs() {
  const set = JSON.parse(readFileSync(require.resolve("@iconify-json/game-icons/icons.json"), "utf8"));
  return Object.entries(GAME_ICONS).map(([word, icon]) => {
    if (!set.icons[icon]) throw new Error(`game-icons has no ${icon}`);
    return symbol(word, `0 0 ${set.width ?? 512} ${set.height ?? 512}`, set.icons[icon].body);
  });
}

function drawn(word) {
  const [, viewBox, body] = /viewBox="([^"]*)">(.*)<\/svg>/s.exec(
    readFileSync(join(UI, `own/${word}.svg`), "utf8"),
  );
  return symbol(word, viewBox, body);
}

function control(name) {
  const file = require.resolve(`lucide-static/icons/${name}.svg`);
  const body = /<svg[^>]*>(.*)<\/svg>/s.exec(readFileSync(file, "utf8"))[1].replace(/\s+/g, " ").trim();
  const line =
    'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return symbol(name, "0 0 24 24", `<g ${line}>${body}</g>`);
}

function sheet(file, symbols) {
  mkdirSync(join(UI, "generated"), { recursive: true });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${NOTICE}${symbols.join("")}</svg>\n`;
  const place = join(UI, "generated", file);
  // Another step of a check may be reading the file: do not touch it if nothing has changed.
  if (!existsSync(place) || readFileSync(place, "utf8") !== svg) writeFileSync(place, svg);
}

sheet("signs.svg", [...signs(), ...OWN.map(drawn)]);
sheet("controls.svg", CONTROLS.map(control));
