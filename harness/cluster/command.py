"""A whole cluster on this machine: three primaries, three NATS servers, three web nodes, two workers, nginx.

Usage: python -m harness.cluster.command up | down | status

`up` starts everything from nothing in build/cluster and returns when it is ready; a keeper stays behind.
`down` lets the keeper end it all. `python -m harness.cluster.check` proves that it works.
"""

import argparse
import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from harness.cluster.servers import Cluster

FOLDER: Final = Path(__file__).parents[2] / "build" / "cluster"
START_SECONDS: Final = 180.0
STOP_SECONDS: Final = 60.0
PACE: Final = 1000
"""All people of a load test come from a few addresses."""


def main() -> int:
    """Do what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("up", "down", "status", "keep"), help="keep: stay in the foreground")
    match parser.parse_args().what:
        case "up":
            return up()
        case "down":
            return down()
        case "keep":
            return asyncio.run(keep())
    return status()


def up() -> int:
    """Start a keeper, and wait until everything is ready."""
    if keeper() is not None:
        print("The cluster is up already; `make cluster-stop` ends it.")
        return status()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    FOLDER.chmod(0o755)  # PostgreSQL may run as another user
    with (FOLDER / "keeper.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "harness.cluster.command", "keep"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    last_moment = time.monotonic() + START_SECONDS
    while keeper() is None:
        if process.poll() is not None or time.monotonic() > last_moment:
            print((FOLDER / "keeper.log").read_text()[-4000:], file=sys.stderr)
            print(f"The cluster did not start; the logs are in {FOLDER}.", file=sys.stderr)
            return 1
        time.sleep(0.2)
    return status()


def down() -> int:
    """Let the keeper end everything."""
    pid = keeper()
    if pid is None:
        print("There is no cluster to end.")
        return 0
    os.kill(pid, signal.SIGTERM)
    last_moment = time.monotonic() + STOP_SECONDS
    while keeper() is not None:
        if time.monotonic() > last_moment:
            print(f"The keeper {pid} does not end; the logs are in {FOLDER}.", file=sys.stderr)
            return 1
        time.sleep(0.2)
    print("Everything is ended.")
    return 0


def status() -> int:
    """Say what runs, and where."""
    if keeper() is None:
        print("There is no cluster; `make cluster` starts one.")
        return 1
    cluster, pid = Cluster.noted(FOLDER)
    print(f"proxy      {cluster.proxy.url} (certificate {cluster.proxy.certificate})")
    for name, port in cluster.ports.items():
        print(f"{name:10} 127.0.0.1:{port}")
    print(f"primaries  {len(cluster.primaries)}, the first with a synchronous standby; keeper {pid}")
    return 0


def keeper() -> int | None:
    """The process id of the keeper of a ready cluster, or None."""
    try:
        _, pid = Cluster.noted(FOLDER)
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    return pid


async def keep() -> int:
    """Start everything, stay until a signal comes, and end everything."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    cluster = Cluster(FOLDER, pace=PACE)
    try:
        await cluster.start()
        cluster.write_note()
        await ended.wait()
    finally:
        await cluster.stop()
        cluster.note.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
