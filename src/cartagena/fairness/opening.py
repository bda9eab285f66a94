"""Everything chance decides in a game, drawn from its fair shuffle: board, first seat, deal, renewals."""

from collections.abc import Sequence
from itertools import count

from cartagena.fairness.commitment import FairnessError, commit
from cartagena.fairness.shuffle import DEAL, Shuffle, renewal
from cartagena.notation.ruleset_text import format_ruleset
from cartagena.rules.board import Board
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, Ruleset
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import Shuffler


def lone_shuffle(where: str, secret: bytes, ruleset: Ruleset, seats: int) -> Shuffle:
    """The shuffle of a game to which no seat brings a nonce; its id begins with `where`."""
    return Shuffle(
        game_id=f"{where}-{commit(secret)[:16]}",
        ruleset=format_ruleset(ruleset),
        nonces=(None,) * seats,
        secret=secret,
    )


def opening(shuffle: Shuffle, ruleset: Ruleset, seats: int) -> Position:
    """The table after the deal; raises FairnessError if the shuffle was promised for another game."""
    if shuffle.ruleset != format_ruleset(ruleset):
        raise FairnessError("the shuffle was promised for other rules")
    if seats != len(shuffle.nonces):
        raise FairnessError(f"the shuffle was promised for {len(shuffle.nonces)} seats, not {seats}")
    board, deal = draw_board(shuffle, ruleset), draw_deal(shuffle, ruleset)
    return new(ruleset, board, seats=seats, order=deal, first_seat=shuffle.first_seat())


def draw_board(shuffle: Shuffle, ruleset: Ruleset) -> Board:
    """The tunnel of printed segments, or the islands of the Nest."""
    if ruleset.family == ESCAPE:
        return Board.of_segments(*shuffle.segments())
    return Board.of_pieces(shuffle.pieces())


def draw_deal(shuffle: Shuffle, ruleset: Ruleset) -> tuple[int, ...]:
    """The order of the deck from which the hands are dealt."""
    return shuffle.order(DEAL, ruleset.deck())


def shuffler(shuffle: Shuffle, done: int = 0) -> Shuffler:
    """Return what gives the order of each renewed stock, after the first `done` renewals."""
    numbers = count(done + 1)

    def order(due: Sequence[int]) -> Sequence[int]:
        return shuffle.order(renewal(next(numbers)), due)

    return order
