/** A host that only sends files: Python's own server, with the site of `make static` below a path. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ROOT = join(import.meta.dirname, "../..");
export const STATIC = join(ROOT, "build/static");
const PYTHON = process.env["PYTHON"] ?? join(ROOT, ".venv/bin/python");
const PROGRAM = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"];
/** Where the site lies on its host. */
export const BELOW = "/clubs/pirates/";

export class FileServer {
  private constructor(
    readonly origin: string,
    /** Each request and its status, such as `GET /clubs/pirates/ 200`. */
    readonly answered: readonly string[],
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(): Promise<FileServer> {
    const folder = mkdtempSync(join(tmpdir(), "cartagena-files-"));
    mkdirSync(join(folder, BELOW, ".."), { recursive: true });
    symlinkSync(STATIC, join(folder, BELOW.slice(0, -1)));
    const process = spawn(PYTHON, [...PROGRAM, folder]);
    const answered: string[] = [];
    createInterface(process.stderr).on("line", (line) => {
      const [, request, status] = /"(\S+ \S+) \S+" (\d+)/.exec(line) ?? [];
      if (request !== undefined) answered.push(`${request} ${status}`);
    });
    const greeting = await createInterface(process.stdout)[Symbol.asyncIterator]().next();
    const port = /port (\d+)/.exec(String(greeting.value))?.[1];
    if (port === undefined) throw new Error("the file server has ended");
    return new FileServer(`http://127.0.0.1:${port}`, answered, process, folder);
  }

  /** The address of a path of the site. */
  at(path: string): string {
    return this.origin + BELOW + path;
  }

  stop(): void {
    this.process.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
