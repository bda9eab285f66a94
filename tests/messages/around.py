"""What lies around a game, for tests of messages: a table, its clock and its news."""

from typing import get_args

from cartagena.messages import (
    ChairMessage,
    ClockMessage,
    ClockSettings,
    NewsMessage,
    TableMessage,
    ruleset_message,
)
from cartagena.messages.tables import StageWord
from cartagena.rules.ruleset import TORTUGA

ID = "0192f0c1-7a3b-7c4d-8e5f-102030405060"
PLAYER = "0192f0c1-7a3b-7c4d-8e5f-aabbccddeeff"
CLOCK = ClockMessage(banks=(60_000, 59_000), running=1, deadline=1_790_000_059_000, now=1_790_000_000_000)
NEWS = NewsMessage(kind="sat", seat=1, name='Anne "the Shark" Bonny')
HOST = ChairMessage(seat=0, kind="person", name="Ada", player=PLAYER, nonce_hash="ab" * 32, is_host=True)
BOT = ChairMessage(seat=1, kind="bot", name="Bosun", level="bosun")


def around(stage: str = "running") -> TableMessage:
    """A table of two chairs at some stage."""
    return TableMessage(
        id=ID,
        stage=next(word for word in get_args(StageWord) if word == stage),
        ruleset=ruleset_message(TORTUGA),
        chairs=(HOST, BOT),
        clock=ClockSettings(kind="live", bank=60, increment=5),
        listed=True,
        rated=False,
        spectators=True,
        commitment="cd" * 32,
        game=f"{ID}.1",
        starts=1,
        called_off=0,
        ending=None,
        winner=None,
        rematch=None,
        rules_version=1,
        created=1_790_000_000_000,
    )
