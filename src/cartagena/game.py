"""A game to play with from Python: chance inside, actions in words, undo, views, bots and records."""

import hashlib
import operator
import secrets
from collections.abc import Iterator, Sequence
from copy import copy
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from cartagena.bots.players.interface import UNHURRIED, Bot, Budget, close
from cartagena.bots.players.registry import BotError, checked
from cartagena.drawing import svg
from cartagena.engine_protocol import make
from cartagena.fairness.record import headers_of_shuffle, shuffle_of_headers
from cartagena.fairness.shuffle import lone_shuffle, shuffler
from cartagena.notation.action_text import Move, every_move
from cartagena.notation.position_text import described, parse_position, parse_ruleset
from cartagena.notation.record import Headers, Record, format_record
from cartagena.notation.record_reader import parse_record
from cartagena.notation.replay import begin, headers_of, record_of, replay, replay_step
from cartagena.notation.typed_action import find_action
from cartagena.rules.actions import ACTIONS, Action, Kind, code_of
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import View, view
from cartagena.rules.legality import legal, refusal
from cartagena.rules.position import NOBODY, Position
from cartagena.rules.refusals import IllegalAction, PositionError, Refusal
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, TORTUGA, Ruleset
from cartagena.rules.undoable_game import Event, Shuffler, UndoableGame
from cartagena.words import Words
from cartagena.words.sentences import Names, refusal_lines, tell, tip_words

if TYPE_CHECKING:
    from cartagena.bots.analysis.comparison import Hint

Player: TypeAlias = str | Bot
"""A bot by its name, such as `"sailor"`, or the bot itself."""

SEED_BYTES: Final = 32


class Game:
    """A game in progress.

    >>> game = Game.start("tortuga", seats=3, seed=1)
    >>> game.push("play skull start")[0]
    Played(seat=0, card=5)
    >>> game.undo()
    >>> game.play_out("sailor")
    >>> game.over
    True
    """

    def __init__(
        self, line: UndoableGame, headers: Headers | None, chance: Random, salt: int | None = None
    ) -> None:
        self._headers = headers
        self._line = line
        self._chance = chance
        # Bots and hints draw from this and from how far the game is, so that asking changes nothing.
        self._salt = _twin(chance).getrandbits(64) if salt is None else salt
        self._shuffle = _shuffler(headers, line.position.renewals, chance)
        self._moves = every_move(line.position.ruleset, line.position.seats)

    @classmethod
    def start(
        cls,
        ruleset: Ruleset | str = TORTUGA,
        *,
        seats: int = FEWEST_SEATS,
        seed: int | str | None = None,
        chance: Random | None = None,
        names: Sequence[str] = (),
    ) -> Self:
        """Deal a new game; equal seeds give equal boards, deals and choices of bots.

        A ruleset is a `Ruleset`, the key of a preset, or its line of options: `"jamaica pass_allowed=true"`.
        Hand in a `chance` of your own to draw everything from it.
        """
        if seed is not None and chance is not None:
            raise ValueError("a game has a seed or a chance of its own, not both")
        chosen = parse_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
        if not FEWEST_SEATS <= seats <= MOST_SEATS:
            raise ValueError(f"a game has {FEWEST_SEATS} to {MOST_SEATS} seats, not {seats}")
        if len(names) > seats:
            raise ValueError(f"{len(names)} names are too many for {seats} seats")
        shuffle = lone_shuffle("local", _secret(seed, chance), chosen, seats)
        headers = headers_of_shuffle(shuffle, chosen, (*names, *[""] * (seats - len(names))))
        return cls(begin(headers), headers, chance or Random(None if seed is None else str(seed)))

    @classmethod
    def of_position(cls, position: Position | str, *, chance: Random | None = None) -> Self:
        """A game that goes on from any position; it has a record unless an action goes on in it."""
        if isinstance(position, str):
            position = parse_position(position)
        try:
            headers = headers_of(position)
        except PositionError:
            headers = None
        return cls(UndoableGame(position), headers, chance or Random())

    @classmethod
    def of_record(cls, record: Record | str, *, chance: Random | None = None) -> Self:
        """Take up a recorded game where it ends; raises ReplayError if the record is impossible."""
        told = _read(record)
        return cls(replay(told), told.headers, chance or Random())

    @classmethod
    def replayed(cls, record: Record | str) -> Iterator[tuple[Self, Move, list[Happening]]]:
        """Step through a record: the game after each action, the action, and what happened.

        It is one game that goes on; take a `copy()` of what you keep.
        """
        told = _read(record)
        line = begin(told.headers)
        game = cls(line, told.headers, Random())
        for step in told.steps:
            happened = replay_step(line, step)
            yield game, game._moves[line.events[-1].code], happened

    # What is on the table.

    @property
    def headers(self) -> Headers | None:
        """Rules, board, names and deal, as a record has them; None if it began in the middle of an action."""
        return self._headers

    @property
    def position(self) -> Position:
        """The table as it is, yours to change: the game keeps its own."""
        return self._line.position.copy()

    @property
    def ruleset(self) -> Ruleset:
        """The rules that are played."""
        return self._line.position.ruleset

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._line.position.seats

    @property
    def names(self) -> tuple[str, ...]:
        """What each seat is called: by its player, if no other has the name, or by its crew."""
        return tuple(map(self._names("en").crew, range(self.seats)))

    @property
    def to_act(self) -> int:
        """The seat to act; NOBODY after the end."""
        return self._line.position.to_act

    @property
    def turn(self) -> int:
        """The number of the running turn, from 1."""
        return self._line.position.turn

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._line.position.over

    @property
    def winner(self) -> int | None:
        """The seat that has won, None if none has."""
        return None if self._line.position.winner == NOBODY else self._line.position.winner

    @property
    def events(self) -> tuple[Event, ...]:
        """What was done so far, undone choices left out."""
        return tuple(self._line.events)

    def view(self, seat: int | None = None) -> View:
        """What a seat may know, or a spectator."""
        return view(self._line.position, seat)

    # What can be done.

    def moves(
        self, kind: Kind | str | None = None, *, card: str | None = None, place: str | int | None = None
    ) -> list[Move]:
        """Everything that the seat to act may do, or only what is of a kind and names a card or a place.

        >>> Game.start("tortuga", seed=1).moves("play", card="pistol")
        [Move('play pistol start')]
        """
        wanted = None if kind is None else Kind(kind)
        return [
            move
            for move in map(self._moves.__getitem__, legal(self._line.position))
            if (wanted is None or move.kind is wanted)
            and (card is None or move.card_word == card)
            and (place is None or move.place_word == str(place))
        ]

    def tell(self, told: "Sequence[Happening] | Refusal | Hint", language: str = "en") -> list[str]:
        """What happened, in sentences; why something is refused, with its rule; or what a hint suggests.

        >>> game = Game.start("tortuga", seed=1, names=("Anne", "Bart"))
        >>> game.tell(game.push("play pistol start"))[0]
        'Anne plays the pistol.'
        """
        names = self._names(language)
        if isinstance(told, Refusal):
            return [*refusal_lines(names, told)]
        if isinstance(told, Sequence):
            return [tell(names, happening) for happening in told]
        return [tip_words(names, told.best.codes, told.best.chances[self.to_act])]

    def refusal(self, choice: Action | str | int) -> Refusal | None:
        """Why an action is not allowed now, None if it is; printed, it is a sentence with its rule."""
        code = self._code(choice)
        return Refusal.NO_RETREAT_FROM_START if code is None else refusal(self._line.position, code)

    def push(self, choice: Action | str | int) -> list[Happening]:
        """Do what a move, an action, its text or its code says; returns what happened.

        A text may be cut short while it fits one legal action: `"r 9"`. Raises IllegalAction with the
        reason if the rules refuse it, NotationError if no action is meant.
        """
        code = self._code(choice)
        if code is None:
            raise IllegalAction(Refusal.NO_RETREAT_FROM_START)
        return self._line.act(code, self._shuffle)

    def refusal_of_undo(self) -> Refusal | None:
        """Why the last choice cannot be taken back; None if it can."""
        return self._line.refusal_of_undo()

    def undo(self) -> None:
        """Take back the last choice of the running turn; raises IllegalAction if it revealed something."""
        self._line.undo()

    # Bots.

    def choice_of(self, bot: Player = "sailor", budget: Budget = UNHURRIED) -> Move:
        """What a bot would do now; it sees no more than the seat to act. To ask changes nothing."""
        player = _player(bot)
        try:
            return self._chosen(player, budget)
        finally:
            if player is not bot:
                close(player)

    def _chosen(self, player: Bot, budget: Budget) -> Move:
        seen = self._view_to_act()
        chosen = player.choose(seen, self._chance_now(), budget)
        code = getattr(chosen, "code", chosen)
        if code not in seen.legal:
            raise BotError(f"the bot chose {chosen!r}, which is none of `view.legal`")
        return self._moves[code]

    def play_out(self, bots: Player | Sequence[Player] = "sailor") -> None:
        """Let bots play to the end: one for all seats, by name or as it is, or one for each."""
        named = (
            list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots] * self.seats
        )
        if len(named) != self.seats:
            each = f"name a bot for each of the {self.seats} seats, or one for all"
            raise ValueError(f"{each}: you named {len(named)}")
        players = [_player(bot) for bot in named]
        try:
            while not self.over:
                self.push(self._chosen(players[self.to_act], UNHURRIED))
        finally:
            for player, bot in zip(players, named, strict=True):
                if player is not bot:
                    close(player)

    def hint(self) -> "Hint":
        """The best decision of the seat to act, the chances of all seats with it, and alternatives."""
        from cartagena.bots.analysis.comparison import hint  # noqa: PLC0415 - only who asks waits for the search

        return hint(self._view_to_act(), chance=self._chance_now())

    def _view_to_act(self) -> View:
        if self.over:
            raise IllegalAction(Refusal.GAME_OVER)
        return self.view(self.to_act)

    def _names(self, language: str) -> Names:
        players = () if self._headers is None else self._headers.names
        return Names(Words(language), self.ruleset, players)

    def _chance_now(self) -> Random:
        return Random(f"{self._salt} {len(self._line.events)}")

    # Copies and text.

    def copy(self) -> Self:
        """An independent copy; what chance has in store is the same for both."""
        return type(self)(self._line.fork(), self._headers, _twin(self._chance), self._salt)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._line, self._headers, self._chance, self._salt)

    def record(self) -> Record:
        """The game so far, to be written, verified and analysed."""
        if self._headers is None:
            raise ValueError("this game began in the middle of an action, where no record begins")
        return record_of(self._line, self._headers)

    def to_svg(self, seat: int | None = None, *, hidden: bool = False) -> str:
        """The picture of the table: all of it, or what a `seat` may know, or if `hidden` a spectator."""
        seen = self._line.position if seat is None and not hidden else self.view(seat)
        return svg(seen, names=() if self._headers is None else self._headers.names)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        return described(self._line.position) if self._headers is None else format_record(self.record())

    def __repr__(self) -> str:
        stand = "over" if self.over else f"seat {self.to_act} to act"
        return f"<Game of {self.ruleset.key}, {self.seats} seats, turn {self.turn}, {stand}>"

    def _code(self, choice: Action | str | int) -> int | None:
        if isinstance(choice, str):
            return find_action(self._line.position, choice)
        if isinstance(choice, Move):
            if choice.family != self.ruleset.family:
                raise ValueError(f"{choice!r} is a move of the other game; this is {self.ruleset.key}")
            return choice.code
        if not isinstance(choice, Action):
            return operator.index(choice)
        code = code_of(choice)
        if code is not None and ACTIONS[self.ruleset.family].get(code) != choice:
            raise ValueError(f"{choice} is an action of the other game; this is {self.ruleset.key}")
        return code


def _read(record: Record | str) -> Record:
    return parse_record(record) if isinstance(record, str) else record


def _twin(chance: Random) -> Random:
    """A chance that says what this one will say; that of the system has no state that could be copied."""
    return chance if isinstance(chance, SystemRandom) else copy(chance)


def _player(bot: Player | type[Bot]) -> Bot:
    """A bot that was named, or given as it is, or as its class."""
    if isinstance(bot, str):
        return make(bot)
    return checked(bot() if isinstance(bot, type) else bot, str(bot))


def _secret(seed: int | str | None, chance: Random | None) -> bytes:
    """What the board, the deal and all later shuffles are drawn from."""
    if chance is not None:
        return chance.randbytes(SEED_BYTES)
    return secrets.token_bytes(SEED_BYTES) if seed is None else hashlib.sha256(str(seed).encode()).digest()


def _shuffler(headers: Headers | None, renewals: int, chance: Random) -> Shuffler:
    """The fair shuffle of the headers; without its secret a game goes on with new chance."""
    shuffle = None if headers is None else shuffle_of_headers(headers)
    if shuffle is None:
        return lambda due: chance.sample(due, len(due))
    return shuffler(shuffle, renewals)
