"""Games side by side: the loop that plays a choice in each, and the memory into which they are written.

Compiled like the rules. It has no rule and no encoding of its own: it asks the rules what is legal, lets them
act, and lets the encoder write what the seat to act sees. NumPy reads the same memory (docs/decisions/0048).
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i16, i64, u8

from cartagena.envs.dealing import Dealer
from cartagena.envs.encoding import ChoiceMask, DiscardCount, Encoder
from cartagena.rules.draw import take_order
from cartagena.rules.legality import act, list_choices, refusal
from cartagena.rules.position import OVER, Position

NO_LIMIT: Final = -1
"""Stands for a number of choices that no game reaches."""


class BatchedGame:
    """One game, and the choices that were made in it since its deal."""

    def __init__(self, dealer: Dealer, encoder: Encoder, max_actions: i64) -> None:
        self.dealer = dealer
        self.encoder = encoder
        self.max_actions = max_actions
        self.position: Position = dealer.deal()
        self.choices: vec[i16] = vec[i16]()
        self.discard = DiscardCount()
        self.illegal = False

    def choose(self, code: i64) -> bool:
        """Let the seat to act choose; True if the game ends: by the rules, at its limit, or as illegal."""
        position = self.position
        if refusal(position, code) is not None:
            self.illegal = True
            return True
        act(position, code)
        self.choices = append(self.choices, i16(code))
        while position.order_due:
            take_order(position, self.dealer.order(position))
        return position.phase == OVER or len(self.choices) == self.max_actions

    def codes(self) -> list[int]:
        """The choices made, as the engine numbers them."""
        return [int(code) for code in self.choices]


class BatchedGames:
    """The rows of a batch: in each a game, what its seat to act sees, and what that seat may choose.

    Row r of the observations begins at byte `r * width`, that of the masks at byte `r * codes`. `blanks`
    holds what stays the same for a whole game: the signs of its board.
    """

    def __init__(self, rows: i64, width: i64, codes: i64) -> None:
        self.width = width
        self.codes = codes
        self.games: list[BatchedGame] = []
        self.blanks: vec[u8] = vec[u8]([0] * (rows * width))
        self.observations: vec[u8] = vec[u8]([0] * (rows * width))
        self.masks: vec[u8] = vec[u8]([0] * (rows * codes))
        self.mask = ChoiceMask(self.masks)
        self.to_act: vec[i64] = vec[i64]([0] * rows)
        # What a call is about: the numbers of some rows, and a choice for each.
        self.chosen_rows: vec[i64] = vec[i64]([0] * rows)
        self.chosen_codes: vec[i64] = vec[i64]([0] * rows)

    def begin(self, row: i64, game: BatchedGame) -> None:
        """Let a game take the place of the one in a row, or of none."""
        if row == len(self.games):
            self.games.append(game)
        else:
            self.games[row] = game
        byte: i64 = row * self.width
        end: i64 = byte + self.width
        blanks = self.blanks
        while byte < end:
            blanks[byte] = 0
            byte += 1
        game.encoder.write_signs(game.position.board, blanks, row * self.width)

    def choose(self, number: i64) -> list[int]:
        """Play the choices of the first `number` rows named; return the rows whose games end by it."""
        ended: list[int] = []
        rows, codes, games = self.chosen_rows, self.chosen_codes, self.games
        named: i64 = 0
        while named < number:
            row = rows[named]
            if games[row].choose(codes[named]):
                ended.append(row)
            named += 1
        return ended

    def observe(self, number: i64) -> None:
        """Write what the first `number` rows named show now, where observations are blank and masks 0."""
        rows, games = self.chosen_rows, self.games
        observations, mask, to_act = self.observations, self.mask, self.to_act
        named: i64 = 0
        while named < number:
            row = rows[named]
            game = games[row]
            position = game.position
            seat: i64 = position.to_act
            to_act[row] = seat
            game.discard.count(position)
            game.encoder.write(position, seat, game.discard, observations, row * self.width)
            mask.start = row * self.codes
            list_choices(position, mask)
            named += 1
