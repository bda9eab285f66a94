/**
 * Before all tests: start the service, and listen for what tests want done with it. It outlives a failing
 * test, after which Playwright discards the whole worker.
 */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { DESK, NODES, type Told } from "./harbour";

const ROOT = join(import.meta.dirname, "../..");
const PYTHON = process.env["PYTHON"] ?? join(ROOT, ".venv/bin/python");
const LOGS = join(ROOT, "web/test-results/service");

export default async function start(): Promise<() => Promise<void>> {
  const service = new Service();
  const { nodes } = (await service.answer()) as { nodes: string[] };
  const desk = await opened(service);
  const { port } = desk.address() as AddressInfo;
  process.env[NODES] = nodes.join(" ");
  process.env[DESK] = `http://127.0.0.1:${port}`;
  return async () => {
    desk.close();
    await service.stop();
  };
}

/** The program that runs the nodes; it reads a line and answers with a line. */
class Service {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;

  constructor() {
    const before = process.env["E2E_BEFORE"];
    const older = before === undefined ? [] : ["--before", before];
    this.process = spawn(PYTHON, ["-m", "harness.browser_service", LOGS, ...older], { cwd: ROOT });
    this.process.stderr.pipe(process.stderr);
    this.lines = createInterface(this.process.stdout)[Symbol.asyncIterator]();
  }

  tell(wish: string): Promise<Told> {
    this.process.stdin.write(`${wish}\n`);
    return this.answer();
  }

  async answer(): Promise<Told> {
    const line = await this.lines.next();
    if (line.done === true) throw new Error("the service has ended");
    return JSON.parse(line.value) as Told;
  }

  /** Stop everything; the database is dropped. */
  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.stdin.end();
    await gone;
  }
}

async function opened(service: Service): Promise<Server> {
  const serve = async (request: IncomingMessage): Promise<string> =>
    JSON.stringify(await service.tell(JSON.stringify(JSON.parse(await text(request)))));
  const desk = createServer((request, response) => {
    serve(request).then(
      (told) => response.end(told),
      (error: unknown) => response.end(JSON.stringify({ trouble: String(error) })),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve));
  return desk;
}
