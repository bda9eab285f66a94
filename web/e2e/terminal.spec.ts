/** A game between a page and a terminal: one person uses the mouse, the other the command line. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expectEnd, isOver, play } from "./game";
import { mouse } from "./hands";
import { Player } from "./player";
import { expect, test } from "./test";

const ROOT = join(import.meta.dirname, "../..");
const PYTHON = process.env["PYTHON"] ?? join(ROOT, ".venv/bin/python");

test(
  "a whole game of tortuga between a page and a terminal",
  { tag: "@long" },
  async ({ arrive, harbour }) => {
    test.setTimeout(900_000);
    const anne = await arrive("Anne");
    const { id, invite } = await anne.openTable({ ruleset: "tortuga", seats: 2, listed: false });
    const page = await anne.open(`/table/${id}`);
    const terminal = spawn(
      PYTHON,
      ["-m", "tests.terminal.joining", `${harbour.node(1)}/table/${id}?invite=${invite ?? ""}`],
      { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = once(terminal, "exit");
    const said = text(terminal.stdout);
    await expect
      .poll(async () => (await anne.look(id)).current.table?.chairs[1]?.name, { timeout: 60_000 })
      .toBe("Terry");
    await anne.command(id, "start");
    const player = new Player(anne, page, id, mouse);
    expect(isOver(await play([player]))).toBe(true);
    await expectEnd([player]);
    expect(await ended).toEqual([0, null]);
    expect(await said).toContain("The shuffle was the promised one.");
  },
);
