/**
 * Render the app's icons as PNG from our own drawing, for systems that do not take SVG.
 *
 * Run it by hand after changing `public/icons/icon.svg`; the results are committed with the source. CHROMIUM
 * names the browser if Playwright has none.
 */
import { chromium } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../public/icons");
const SVG = readFileSync(join(FOLDER, "icon.svg"), "utf8");
/** A system may crop a maskable icon to a circle: no round corners, and the drawing well inside. */
const MASKABLE = SVG.replace(/ rx="\d+"/g, "")
  .replace(' clip-path="url(#edge)"', "")
  .replace('viewBox="0 0 512 512"', 'viewBox="-48 -48 608 608"');
const GROUND = "#141a22";

const FILES = [
  { name: "icon-180.png", size: 180, svg: MASKABLE, ground: GROUND },
  { name: "icon-192.png", size: 192, svg: SVG, ground: "transparent" },
  { name: "icon-512.png", size: 512, svg: SVG, ground: "transparent" },
  { name: "icon-maskable-512.png", size: 512, svg: MASKABLE, ground: GROUND },
];

const executablePath = process.env.CHROMIUM;
const browser = await chromium.launch({
  args: ["--no-sandbox"],
  ...(executablePath ? { executablePath } : {}),
});
for (const { name, size, svg, ground } of FILES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0;background:${ground}}svg{display:block}</style>${svg}`);
  const picture = await page.screenshot({ omitBackground: true });
  writeFileSync(join(FOLDER, name), picture);
  await page.close();
}
await browser.close();
