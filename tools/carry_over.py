"""Keep long runs after a change of the bots: games that they would still play the same way still count.

Usage: python -m tools.carry_over [arena] [moments] [league] [seats]

A long run counts only games of today's bots, and any change of their code makes them different bots. But many
changes touch only one ruleset. So for each bar and each table of a ledger the quickest leg is played again.
If the results are the same, all its lines get the version of today's bots, and `played_by` keeps the old one;
if anything differs, the lines stay as they are and no longer count.

OpenSpiel's searches depend on the clock and cannot be repeated: the captain's games against them follow the
moments of the same table.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cartagena.arena.run import play_games
from cartagena.arena.tally import Tally
from tools import arena_bars, league, ledger, moments, seat_advantage
from tools.bot_version import version_of
from tools.legs import Leg

OPENSPIEL: Final = "openspiel"
OPENSPIELS_SEATS: Final = 2

Line = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Lines of a ledger that stand or fall together: all of one bar, or of one table."""

    ledger: str
    named: Line
    today: str
    replay: Callable[[Line], Line]

    def __str__(self) -> str:
        return " ".join(map(str, (self.ledger, *self.named.values())))

    @property
    def played_by(self) -> str:
        """The version of the bots that played last."""
        lines = ledger.entries(self.ledger, **self.named)
        return str(lines[-1]["bots"]) if lines else self.today

    def is_repeated(self) -> bool:
        """Whether the quickest leg of the last bots gives the same result again."""
        lines = ledger.entries(self.ledger, **self.named, bots=self.played_by)
        quickest = min(lines, key=lambda line: float(line.get("seconds", 0)))
        return all(quickest[name] == figure for name, figure in self.replay(quickest).items())

    def carry_over(self) -> int:
        """Count the last bots' lines for today's bots; return how many there are."""
        return rename(self.ledger, self.played_by, self.today, **self.named)


def groups() -> Iterator[Group]:
    """All bars and tables."""
    for bar in arena_bars.BARS:
        yield Group(
            ledger=arena_bars.LEDGER,
            named={"bar": bar.name},
            today=version_of(bar.bot, bar.against),
            replay=partial(replayed_bar, bar),
        )
    replays = ((moments, replayed_moments), (league, replayed_league), (seat_advantage, replayed_seats))
    for module, replay in replays:
        tables = {(line["ruleset"], line["seats"]) for line in ledger.entries(module.LEDGER)}
        for ruleset, seats in sorted(tables):
            yield Group(
                ledger=module.LEDGER,
                named={"ruleset": ruleset, "seats": seats},
                today=module.key()["bots"],
                replay=replay,
            )


def replayed_bar(bar: arena_bars.Bar, line: Line) -> Line:
    """Play the games of a leg again; only the milliseconds may differ."""
    contest = bar.contest(line["seed"])
    tally = Tally(contest)
    for played in play_games(contest, range(line["first"], line["first"] + line["games"]), workers=1):
        tally.add(played)
    return {name: figure for name, figure in arena_bars.leg_of(tally).items() if name != "ms"}


def replayed_moments(line: Line) -> Line:
    """Find the moments of a leg again, every chance to the thousandth."""
    return {"moments": moments.play_leg(leg_of(line))[1]}


def replayed_league(line: Line) -> Line:
    """Play the games of a leg again."""
    return {"played": [league.line_of(game) for game in league.play_leg(leg_of(line))[1]]}


def replayed_seats(line: Line) -> Line:
    """Count the wins of each seat again."""
    _, wins, drawn = seat_advantage.play_leg(leg_of(line))
    return {"wins": wins, "drawn": drawn}


def leg_of(line: Line) -> Leg:
    """The leg that a line describes."""
    return Leg(line["ruleset"], line["seats"], line["leg"])


def rename(name: str, played_by: str, today: str, **like: object) -> int:
    """Give the lines of `played_by` the version `today`; return how many there were."""
    renamed = 0
    lines = ledger.entries(name)
    for line in lines:
        if ledger.is_like(line, {**like, "bots": played_by}):
            line.update(bots=today, played_by=line.get("played_by", played_by))
            renamed += 1
    ledger.replace(name, lines)
    return renamed


def main() -> None:
    """Play again what another version has played, and print the outcome."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ledgers = [module.LEDGER for module in (arena_bars, moments, league, seat_advantage)]
    parser.add_argument("ledger", nargs="*", choices=ledgers, default=ledgers)
    wish = parser.parse_args()
    for group in groups():
        if group.ledger not in wish.ledger or group.played_by == group.today:
            continue
        played_by = group.played_by
        if not group.is_repeated():
            print(f"{group}: not as it was", flush=True)
            continue
        print(f"{group}: as it was, {group.carry_over()} lines", flush=True)
        if group.ledger == moments.LEDGER and group.named["seats"] == OPENSPIELS_SEATS:
            rename(OPENSPIEL, played_by, group.today, ruleset=group.named["ruleset"])


if __name__ == "__main__":
    main()
