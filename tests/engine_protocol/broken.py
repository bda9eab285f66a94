"""Engines that take the first choice, each wrong or odd in one way: `python broken.py WAY`."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

WAY, *MORE = *sys.argv[1:], ""
FOREVER = 600
HELLO = {
    "chatty": "First 1.0 is ready to play!",
    "other": 'engine {"protocol": 2, "name": "First"}',
    "nameless": 'engine {"protocol": 1}',
    "misnamed": 'engine {"protocol": 1, "name": 7}',
}
"""What they answer to the greeting instead of their name."""
INSTEAD = {
    "illegal": "choice 1023",
    "garbage": "I play the skull",
    "words": 'choice "play skull start"',
    "long": "choice " + " " * 100_000 + "0",
}
"""What they answer to `go` instead of a choice."""


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def greet() -> None:
    """Answer the greeting."""
    if WAY == "mute":
        time.sleep(FOREVER)
    say(HELLO.get(WAY, 'engine {"protocol": 1, "name": "First"}'))
    if WAY == "eager":
        say('info {"text": "I cannot wait"}')
    elif WAY == "deaf":
        time.sleep(FOREVER)
    elif WAY == "noted":
        with Path(MORE[0]).open("a", encoding="utf-8") as notes:
            notes.write(f"{os.getpid()}\n")


def think(seconds: float) -> None:
    """Do what comes before the choice."""
    match WAY:
        case "deserter":
            start_child()
            sys.exit(1)
        case "crash":
            raise KeyError("the hand holds a skull")
        case "node":
            # Node.js ends a trace with its version.
            trace = [*map("    at step {}".format, range(20)), "", "Node.js v22.0.0"]
            sys.exit("\n".join(["engine.mjs:3", "TypeError: the hand holds a skull", *trace[-9:]]))
        case "killed":
            os.kill(os.getpid(), 11)
        case "late":
            time.sleep(seconds + float(MORE[0]))
        case "sure":
            say('info {"chances": [1, 1, 1]}')
        case "loud":
            sys.stderr.write("x" * 1_000_000 + "\n")


def start_child() -> None:
    """Start a program that goes on by itself, and note its id."""
    none = subprocess.DEVNULL
    command = [sys.executable, "-c", f"import time; time.sleep({FOREVER})"]
    child = subprocess.Popen(command, stdin=none, stdout=none, stderr=none)  # noqa: S603 - our own
    Path(MORE[0]).write_text(str(child.pid), encoding="utf-8")


def stay(seconds: float) -> None:
    """Do what never comes to a choice."""
    if WAY == "parent":
        start_child()
    elif WAY == "closed":
        os.close(1)
    elif WAY == "endfree":
        sys.stdout.write("choice 38")
        sys.stdout.flush()
    ends = time.monotonic() + seconds + FOREVER
    while time.monotonic() < ends:
        if WAY == "endless":
            say('info {"text": "still thinking"}')
        else:
            time.sleep(FOREVER)


def go(choices: list[dict[str, Any]], seconds: float) -> None:
    """Answer `go`."""
    think(seconds)
    if WAY in {"hang", "parent", "closed", "endless", "endfree"}:
        stay(seconds)
    for _ in range(2 if WAY == "twice" else 1):
        say(INSTEAD.get(WAY, f"choice {choices[0]['code']}"))


def answered() -> str:
    """Answer each line; returns the word of the last one."""
    choices: list[dict[str, Any]] = []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "cartagena":
            greet()
        elif word == "rules" and WAY == "seeded":
            Path(MORE[0]).write_text(str(json.loads(rest)["seed"]), encoding="utf-8")
        elif word == "choices":
            choices = json.loads(rest)
        elif word == "go":
            go(choices, json.loads(rest)["seconds"])
        elif word == "quit":
            return word
        elif word == "later" and WAY == "strict":
            sys.exit("unknown word")
    return ""


def main() -> None:
    """Play, and end."""
    last = answered()
    if WAY == "heir":
        start_child()
    if WAY == "ungrateful":
        sys.exit(3)
    if WAY == "clinging" or (WAY == "orphan" and last != "quit"):
        time.sleep(FOREVER)


if __name__ == "__main__":
    main()
