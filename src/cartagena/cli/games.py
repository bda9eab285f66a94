"""`cartagena games`: the games that were played here, to go on with, to see again, or to delete."""

import contextlib
import json
import sys

import click

from cartagena.cli.kept_games import GameId, KeptGame, Sitting, kept_games
from cartagena.cli.play import BotsAsked, play_sitting, taken_up
from cartagena.cli.screen_flags import ASCII_ONLY, PLAIN, has_screen
from cartagena.cli.style import JSON, CommandRefused, Flag, Task, Tasks, Unreadable, is_terminal, say, words
from cartagena.cli.table_flags import BotName, level_of
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import Ending, Record, format_result
from cartagena.notation.replay import replay as replay_of
from cartagena.notation.tokens import ReplayError
from cartagena.words.sentences import Names, result_sentence

GAME = click.argument("game", type=GameId(), metavar="ID")
GAME_OR_LATEST = click.argument("game", type=GameId(), metavar="[ID]", required=False)


@click.group("games", cls=Tasks, invoke_without_command=True)
@JSON
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> None:
    """List all of them, unless something else is asked for."""
    if context.invoked_subcommand is not None:
        return
    games = kept_games()
    if as_json:
        click.echo(json.dumps([_as_json(game) for game in games], ensure_ascii=False, indent=2))
        return
    for game in games:
        click.echo(_line(game))
    if not games:
        say("games.none")
    elif is_terminal(sys.stdout):
        say("games.how" if any(map(_is_running, games)) else "games.how.over")


@command.command("resume", cls=Task, words_key="command.games.resume")
@GAME
@click.option("--level", type=BotName(), cls=Flag)
@click.option("--auto-end", is_flag=True, cls=Flag)
@PLAIN
@ASCII_ONLY
def resume(game: KeptGame, level: str | None, *, auto_end: bool, plain: bool, ascii_only: bool) -> None:
    """Go on with a game where it was left."""
    sitting = Sitting.autosaved(taken_up(game.file, BotsAsked(None, level)), game)
    play_sitting(sitting, is_drawn=has_screen() and not plain, auto_end=auto_end, ascii_only=ascii_only)


@command.command("replay", cls=Task, words_key="command.games.replay")
@GAME_OR_LATEST
@PLAIN
@ASCII_ONLY
def replay(game: KeptGame | None, *, plain: bool, ascii_only: bool) -> None:
    """Step through a game on the screen, or tell it in words."""
    from cartagena.cli.watch import follow_record  # noqa: PLC0415 - only who asks for it waits for it

    found = game or next(iter(kept_games()), None)
    if found is None:
        raise CommandRefused("games.none")
    follow_record(found.file, None, is_drawn=has_screen() and not plain, ascii_only=ascii_only)


@command.command("analyse", cls=Task, words_key="command.games.analyse")
@GAME
@JSON
def analyse(game: KeptGame, *, as_json: bool) -> None:
    """Tell what the turns of a game were worth."""
    from cartagena.cli.analyse import tell_analysis  # noqa: PLC0415 - only who asks for it waits for it

    tell_analysis(game.file, as_json=as_json)


@command.command("delete", cls=Task, words_key="command.games.delete")
@click.argument("games", type=GameId(), metavar="ID...", nargs=-1, required=True)
def delete(games: tuple[KeptGame, ...]) -> None:
    """Delete games for good."""
    for game in games:
        try:
            game.file.unlink(missing_ok=True)
        except OSError as error:
            raise Unreadable("error.cannot_delete", file=game.file, reason=error.strerror or error) from error
        say("games.deleted", id=game.id)


def _is_running(game: KeptGame) -> bool:
    record = game.record()
    return record is not None and record.result.ending is Ending.RUNNING


def _line(game: KeptGame) -> str:
    """A game in one line: when it was last played, who sits at it, and how it stands."""
    played = game.played.astimezone().strftime("%Y-%m-%d %H:%M")
    record = game.record()
    if record is None:
        return words().say("games.broken", id=game.id, played=played, file=game.file)
    names = Names(words(), record.headers.ruleset)
    return words().say(
        "games.line",
        id=game.id,
        played=played,
        ruleset=words().say(f"ruleset.{names.ruleset.key}"),
        seats=", ".join(_seat(names, seat, name) for seat, name in enumerate(record.headers.names)),
        state=_state(names, record),
    )


def _seat(names: Names, seat: int, name: str) -> str:
    who = level_of(name) or name
    return f"{names.crew(seat)} ({who})" if who else names.crew(seat)


def _state(names: Names, record: Record) -> str:
    if record.result.ending is Ending.RUNNING:
        return names.words.say("games.running", turn=_turn(record))
    return result_sentence(names, record.result.winner)


def _turn(record: Record) -> int:
    """The turn in which a game stands or ended; if it cannot be played, that of its last action."""
    if record.result.ending is Ending.RUNNING:
        with contextlib.suppress(ReplayError):
            return replay_of(record).position.turn
    return record.steps[-1].turn if record.steps else 1


def _as_json(game: KeptGame) -> dict[str, object]:
    told: dict[str, object] = {
        "id": game.id,
        "file": str(game.file),
        "begun": game.begun.isoformat(),
        "played": game.played.isoformat(timespec="seconds"),
    }
    record = game.record()
    if record is None:
        return {**told, "result": None}
    return {
        **told,
        "ruleset": format_ruleset(record.headers.ruleset),
        "seats": list(record.headers.names),
        "turn": _turn(record),
        "actions": len(record.steps),
        "result": format_result(record.result),
    }
