"""What PostgreSQL itself can do: pgbench with one transaction a move, and nothing around it."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import asyncpg

from benchmarks.server_generator import quantile

SCHEMA: Final = """
CREATE SCHEMA bench;
CREATE TABLE bench.games (
    game_id bigint PRIMARY KEY, seq integer NOT NULL, snapshot bytea NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE bench.events (
    game_id bigint NOT NULL, seq integer NOT NULL, code smallint NOT NULL, key uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (game_id, seq)
);
"""
FILL: Final = """
INSERT INTO bench.games SELECT number, 0, decode(repeat('00', 1000), 'hex') FROM generate_series(1, $1) number
"""
SCRIPT: Final = """
\\set game random(1, :games)
\\set code random(0, 255)
BEGIN;
SELECT seq + 1 AS next FROM bench.games WHERE game_id = :game FOR UPDATE \\gset
INSERT INTO bench.events (game_id, seq, code, key)
    VALUES (:game, :next, :code, '00000000-0000-4000-8000-000000000000');
UPDATE bench.games SET seq = :next, snapshot = :snapshot WHERE game_id = :game;
END;
"""
SNAPSHOT: Final = "x" * 1000
THREADS: Final = 2

_RATE: Final = re.compile(r"tps = ([\d.]+)")
_TIME: Final = 2
"""Where a line of pgbench's log has the microseconds of a transaction, from the moment when it was due."""


class Pgbench:
    """Scratch tables in a database, and a script for pgbench on them."""

    def __init__(self, dsn: str, folder: Path, *, games: int, clients: int) -> None:
        self._dsn = dsn
        self._script = folder / "move.sql"
        self._games = games
        self._clients = clients

    async def set_up(self) -> None:
        """Make and fill the tables."""
        self._script.write_text(SCRIPT, encoding="utf-8")
        connection = await asyncpg.connect(self._dsn)
        try:
            await connection.execute(SCHEMA)
            await connection.execute(FILL, self._games)
            await connection.execute("ANALYZE bench.games")
        finally:
            await connection.close()

    def moves_per_second(self, seconds: int) -> float:
        """Run pgbench for `seconds`; returns the moves a second."""
        return self._run(seconds)

    def milliseconds_of_99_percent(self, rate: float, seconds: int) -> float:
        """How long 99 of 100 moves take at most when `rate` a second are due, waiting included."""
        log = self._script.with_name("moves")
        self._run(seconds, f"--rate={rate:.0f}", "--log", f"--log-prefix={log}")
        lines = [line for file in log.parent.glob("moves.*") for line in file.read_text().splitlines()]
        return quantile([int(line.split()[_TIME]) / 1e6 for line in lines], 99)

    def _run(self, seconds: int, *more: str) -> float:
        """Let pgbench run; returns the moves a second."""
        program = shutil.which("pgbench")
        if program is None:
            raise SystemExit("pgbench is not installed: it comes with PostgreSQL")
        command = [
            *(program, "--no-vacuum", "--protocol=prepared", f"--file={self._script}", f"--time={seconds}"),
            *(f"--client={self._clients}", f"--jobs={THREADS}", *more),
            *(f"--define=games={self._games}", f"--define=snapshot={SNAPSHOT}", self._dsn),
        ]
        told = subprocess.run(command, check=False, capture_output=True, text=True)
        found = _RATE.search(told.stdout)
        if found is None:
            raise SystemExit(f"pgbench failed:\n{told.stderr[-1000:]}")
        return float(found[1])
