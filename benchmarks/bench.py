"""How fast is the engine? Random Tortuga games, interpreted, compiled and in plain C, in one run.

    python benchmarks/bench.py --seconds 10 --compiled .venv-compiled/bin/python

Prints one JSON line: million actions a second on one core for two and four seats, and the ratio of the
compiled engine to the C program that marks the limit. The three take turns, and the median of each
counts, so that a noisy machine disturbs all of them alike.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track

HERE = Path(__file__).parent
SEATS = (2, 4)
ROUNDS = 5
GAMES_IN_C_A_SECOND = 20_000


def build_limit(folder: str) -> str:
    """Compile the yardstick for this very machine."""
    program = str(Path(folder, "limit"))
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, str(HERE / "limit.c")], check=True)  # noqa: S607
    return program


def actions_per_second(command: list[str]) -> float:
    """Run one measurement and read its JSON line."""
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(json.loads(line)["actions_per_s"])


def commands(seats: int, seconds: float, compiled: str, limit: str) -> dict[str, list[str]]:
    """The three programs that do the same work."""
    games = str(HERE / "random_games.py")
    wish = ["--seats", str(seats), "--seconds", str(seconds)]
    return {
        "interpreted": [sys.executable, games, *wish],
        "compiled": [compiled, games, *wish],
        "c": [limit, str(seats), str(max(1, int(GAMES_IN_C_A_SECOND * seconds)))],
    }


def measure(seats: int, seconds: float, compiled: str, limit: str) -> dict[str, float]:
    """Median rates in millions, measured in turns, and the ratio of the compiled engine to C."""
    rates: dict[str, list[float]] = {"interpreted": [], "compiled": [], "c": []}
    for _ in track(range(ROUNDS), f"{seats} seats", console=Console(stderr=True)):
        for name, command in commands(seats, seconds / ROUNDS, compiled, limit).items():
            rates[name].append(actions_per_second(command) / 1e6)
    ratio = statistics.median(ours / c for ours, c in zip(rates["compiled"], rates["c"], strict=True))
    figures = {name: round(statistics.median(values), 3) for name, values in rates.items()}
    return {**figures, "compiled_to_c": round(ratio, 3)}


def main() -> None:
    """Measure both tables and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="time for each engine and table")
    parser.add_argument("--compiled", default=sys.executable, help="a Python with the compiled engine")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        limit = build_limit(folder)
        figures = {str(seats): measure(seats, wish.seconds, wish.compiled, limit) for seats in SEATS}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
