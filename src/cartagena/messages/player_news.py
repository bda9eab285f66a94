"""What the stream of a player tells: the games that concern them, wherever they are played."""

from typing import Literal, TypeAlias

from cartagena.messages.challenges import ChallengeMessage
from cartagena.messages.lobby import LobbyAnswer, MyTableMessage

ClosingWord: TypeAlias = Literal["won", "dead", "quiet", "resigned", "abandoned", "closed"]
GameNewsWord: TypeAlias = Literal["seated", "begun", "your_turn", "over", "left"]


class MyGameMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A table at which I sit, as it stands after event `seq`; `ending` and `winner` once it is over."""

    table: MyTableMessage
    seq: int
    ending: ClosingWord | None = None
    winner: int | None = None


class MyStateMessage(LobbyAnswer, frozen=True, kw_only=True):
    """Everything that concerns me now, as the stream first tells it."""

    games: tuple[MyGameMessage, ...]
    challenges: tuple[ChallengeMessage, ...] = ()


class GameNewsMessage(LobbyAnswer, frozen=True, kw_only=True):
    """What happened to one of my games, the latest if it was several things at once.

    `seated`: I sit at a table whose game has not begun. `begun`: it has, and it may be my turn. `your_turn`:
    a turn of mine begins. `over`: it has ended. `left`: I sit there no more, and `game` is as I last knew it.
    """

    what: GameNewsWord
    game: MyGameMessage
