/**
 * Compress the built files once, as small as possible, so that the service only has to choose a form.
 *
 * node scripts/pack.js [folder]
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const BUILT = join(dirname(fileURLToPath(import.meta.url)), "../package/cartagena_web/files");
/** Fonts and pictures are already compressed. */
const LOOSE = new Set([
  ".css",
  ".html",
  ".js",
  ".json",
  ".mjs",
  ".svg",
  ".txt",
  ".wasm",
  ".webmanifest",
  // Those of the device are stored uncompressed.
  ".zip",
]);
/** Below this many bytes an answer fits one packet anyway. */
const TOO_SMALL = 1000;
/** From here on the best quality takes minutes and gains little. */
const LARGE = 1_000_000;

const FORMS = {
  ".br": (content) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: content.length < LARGE ? constants.BROTLI_MAX_QUALITY : 9,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  ".gz": (content) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION }),
};

function pack(file) {
  const content = readFileSync(file);
  if (content.length < TOO_SMALL) return;
  for (const [suffix, packed] of Object.entries(FORMS)) writeFileSync(file + suffix, packed(content));
}

const folder = process.argv[2] ?? BUILT;
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && LOOSE.has(extname(entry.name)))
  .map((entry) => join(entry.path, entry.name));
files.forEach(pack);
console.log(`${files.length} files packed`);
