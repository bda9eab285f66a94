/**
 * Run a module of the checkout in Python for browsers, here in Node.js.
 *
 * node scripts/python.js LIBRARIES MODULE [ARGUMENT ...]
 *
 * LIBRARIES is a folder of installed packages. The checkout lies in that Python's file system at its own path, so that
 * the places that errors name can be found here.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

const [libraries, ...words] = process.argv.slice(2);
// The checkout is somebody's working tree: no bytecode of another Python is left in it.
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" } });
python.mountNodeFS(ROOT, ROOT);
const status = python.runPython(
  `
import os, runpy, sys, traceback

os.chdir(root)
sys.path[:0] = [root, f"{root}/src", libraries]
sys.argv = list(words)
try:
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    status = 0
except SystemExit as end:
    status = end.code
    if isinstance(status, str):
        print(status, file=sys.stderr)
except BaseException:
    traceback.print_exc()
    status = 1
sys.stdout.flush()
int(status) if isinstance(status, int) else int(status is not None)`,
  { globals: python.toPy({ root: ROOT, libraries, words }) },
);
// Python would keep Node.js awake.
process.exit(status);
