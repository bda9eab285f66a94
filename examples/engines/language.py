#!/usr/bin/env python3
"""A language model as an engine for Cartagena: it is shown the table and answers with an action, all as text.

    cartagena engine-check python examples/engines/language.py --ask './my-model'

`--ask` is a command that reads the question from its standard input and writes the answer to its standard
output; the last line of the answer that is not empty counts. To ask a function, import this file and call
`play`. An illegal answer is told why, with the number of the rule, and asked again; after `--tries` answers
the first legal action is taken, so that a game goes on whatever a model says. What was asked and answered is
counted, and told to standard error at the end. No model is named or called here. It needs Cartagena itself.
"""

import argparse
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from random import Random
from typing import IO

import msgspec

from cartagena.envs.common import draw
from cartagena.messages.views import ViewMessage, view_of
from cartagena.notation import NotationError, find_action, format_action
from cartagena.rules.hidden.view import View
from cartagena.rules.hidden.world import world
from cartagena.rules.legality import refusal
from cartagena.words.sentences import refusal_in_english

TRIES = 3
"""How often a model may answer before the first legal action is taken."""
HEADROOM = 0.8
"""The part of its time that an answer may take: what is left is for everything else."""

Ask = Callable[[str, float], str]
"""Answers a question within some seconds; raises OSError or TimeoutExpired if it cannot."""


@dataclass
class Tally:
    """What came of the questions so far."""

    choices: int = 0
    questions: int = 0
    illegal: int = 0
    unread: int = 0
    unanswered: int = 0
    given_up: int = 0


def question(view: View, refused: Iterable[str]) -> str:
    """The table as its seat sees it, what may be done, and what was wrong with earlier answers."""
    actions = [format_action(view.ruleset, code) for code in view.legal]
    return "\n".join([draw(view), "You may:", *actions, "", *refused, "Answer with one of these lines.", ""])


def judge(view: View, answer: str, tally: Tally) -> tuple[int | None, str]:
    """The code of an answer if it is legal, else why it is not."""
    line = next((line.strip() for line in reversed(answer.splitlines()) if line.strip()), "")
    # What is refused depends only on what the seat sees, so any world that fits will do.
    position = world(view, Random(0))
    try:
        code = find_action(position, line.strip("`*. "))
    except NotationError as error:
        tally.unread += 1
        return None, f"Your answer {line!r} could not be read: {error}"
    reason = refusal(position, code)
    if reason is None:
        return code, ""
    tally.illegal += 1
    return None, f"Your answer {line!r} is refused: {refusal_in_english(reason)}"


def choose(view: View, ask: Ask, tally: Tally, seconds: float, tries: int = TRIES) -> int:
    """A legal code: the answer to one of the questions, or the first that is legal."""
    tally.choices += 1
    end = time.monotonic() + seconds * HEADROOM
    refused: list[str] = []
    for _ in range(tries):
        left = end - time.monotonic()
        if left <= 0:
            break
        tally.questions += 1
        try:
            answer = ask(question(view, refused), left)
        except (OSError, subprocess.SubprocessError):
            tally.unanswered += 1
            break
        code, wrong = judge(view, answer, tally)
        if code is not None:
            return code
        refused.append(wrong)
    tally.given_up += 1
    return view.legal[0]


def ask_command(command: str, text: str, seconds: float) -> str:
    """Ask a program: the question is its input, the answer its output."""
    # An answer that is no text is an illegal answer, and no reason to end the game.
    done = subprocess.run(  # noqa: S603 - the command of the person who starts this
        shlex.split(command),
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=True,
    )
    return done.stdout


def play(ask: Ask, lines: IO[str], out: IO[str], tries: int = TRIES) -> Tally:
    """Speak the engine protocol until the game is over; returns what came of the questions."""
    tally = Tally()
    view: View | None = None
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "cartagena":
            say(out, "engine", {"protocol": 1, "name": "Language", "version": "1.0"})
        elif word == "view":
            view = view_of(msgspec.json.decode(rest, type=ViewMessage))
        elif word == "go" and view is not None:
            told = json.loads(rest)
            seconds = told["seconds"] + told["grace"]
            code = choose(view, ask, tally, seconds, tries)
            say(out, "info", {"text": json.dumps(asdict(tally))})
            say(out, "choice", code)
        elif word == "quit":
            break
    return tally


def say(out: IO[str], word: str, told: object) -> None:
    """Write one line, and see that it leaves at once."""
    print(word, json.dumps(told), file=out, flush=True)


def main() -> None:
    """Play one game."""
    parser = argparse.ArgumentParser(description="A language model as an engine for Cartagena")
    parser.add_argument("--ask", required=True, help="a command that reads a question and writes an answer")
    parser.add_argument("--tries", type=int, default=TRIES, help="answers to one question, at most")
    asked = parser.parse_args()
    tally = play(partial(ask_command, asked.ask), sys.stdin, sys.stdout, asked.tries)
    print("language:", json.dumps(asdict(tally)), file=sys.stderr)


if __name__ == "__main__":
    main()
