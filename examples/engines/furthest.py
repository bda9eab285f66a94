#!/usr/bin/env python3
"""An engine for Cartagena that takes whatever brings its crew furthest; it needs Python alone.

Play against it with `cartagena play --level engine:examples/engines/furthest.py`. What it reads and writes is
told in `docs/engine-protocol.md`.
"""

import json
import random
import sys
from typing import Any

CARD = 3
"""How many spaces a card is worth."""
FULL_HAND = 7
"""With more cards than this, one more is worth nothing."""

Choice = dict[str, Any]


def worth(choice: Choice, held: int) -> float:
    """What a choice is worth, in spaces, to a crew that holds `held` cards."""
    if choice.get("wins"):
        return 1000
    way: float = choice.get("target", 0) - choice.get("start", 0)
    cards: float = CARD * min(choice.get("gains", 0), max(0, FULL_HAND - held))
    match choice["kind"]:
        case "play":
            return way - (CARD if held <= FULL_HAND else 0)
        case "retreat":
            return way + cards
        case "push":
            return cards + 0.5
        case "decline":
            return way
        case "sail" | "captain_sail":
            return 2
        case _:
            return 0


def chances(pirates: list[list[int]]) -> list[float]:
    """A rough guess at the chances to win: the crew that has come furthest has the best."""
    ways = [1 + sum(crew) for crew in pirates]
    return [round(way / sum(ways), 4) for way in ways]


def say(word: str, told: object) -> None:
    """Write one line, and see that it leaves at once."""
    print(word, json.dumps(told), flush=True)


def main() -> None:
    """Answer every line until the game is over."""
    chance = random.Random()
    view: dict[str, Any] = {}
    choices: list[Choice] = []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        told: Any = json.loads(rest) if rest else None
        if word == "cartagena":
            say("engine", {"protocol": 1, "name": "Furthest", "version": "1.0"})
        elif word == "rules":
            chance.seed(told["seed"])
        elif word == "view":
            view = told
        elif word == "choices":
            choices = told
        elif word == "go":
            held = view["hand_sizes"][view["seat"]]
            most = max(worth(choice, held) for choice in choices)
            best = chance.choice([choice for choice in choices if worth(choice, held) == most])
            say("info", {"chances": chances(view["pirates"])})
            say("choice", best["code"])
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
