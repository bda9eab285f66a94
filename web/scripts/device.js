/**
 * Put together what plays on the reader's own device: Python for browsers, its library, and ours.
 *
 * node scripts/device.js SITE FOLDER
 *
 * SITE holds the modules as they would be installed; FOLDER gets the parts that a browser loads.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const HERE = dirname(fileURLToPath(import.meta.url));
const PYODIDE = join(HERE, "../node_modules/pyodide");
const COPIED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
/** Only the Python that reads the archives can compile their modules. */
const ARCHIVES = {
  "python.zip": 'archive(library(Path("/standard.zip").read_bytes()))',
  "site.zip": 'archive(folder("/site"))',
};

const [site, folder] = process.argv.slice(2).map((path) => resolve(path));
const python = await loadPyodide({ indexURL: PYODIDE });
python.mountNodeFS("/site", site);
python.mountNodeFS("/scripts", join(HERE, "../../scripts"));
python.FS.writeFile("/standard.zip", readFileSync(join(PYODIDE, "python_stdlib.zip")));
python.runPython(`
import sys
from pathlib import Path
sys.path.insert(0, "/scripts")
from device_archive import archive, folder, library`);

for (const name of COPIED) copyFileSync(join(PYODIDE, name), join(folder, name));
for (const [name, expression] of Object.entries(ARCHIVES)) {
  const bytes = python.runPython(expression);
  writeFileSync(join(folder, name), bytes.toJs());
  bytes.destroy();
}
// Python would keep Node.js awake.
process.exit(0);
