"""A player at one table: says what to do next, and leaves the sending to others."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias
from uuid import UUID

from cartagena.client import tables
from cartagena.client.fairness import Pledge, Witness, check_record, kept_promise
from cartagena.client.request import BrokenPromise, Refused, Request
from cartagena.client.stream import Told
from cartagena.client.table_state import TableState
from cartagena.fairness import Kept
from cartagena.fairness.record import Report
from cartagena.messages.requests import Act
from cartagena.messages.tables import ChairMessage
from cartagena.messages.updates import Update
from cartagena.notation import Record

Choose: TypeAlias = Callable[[TableState], int | None]
"""Says the code of a choice, when the seat is to act: one of `standing.sight.legal`; None to think on."""

OVERTAKEN: Final = frozenset({"stale", "too_late", "wrong_stage", "not_your_turn", "seat_minded", "not_full"})
"""Refusals that only mean that the table has moved on: the next update tells how it stands."""


class Player:
    """Sits at a table, starts the game if it is the host, and plays to the end.

    It is told what happens (`hear`), says what it wishes to send (`wish`), and is told what became of that
    (`answered`, `refused`). As the host it starts when every chair is taken and every person has promised a
    number. It shows its own only after it has looked: the commitment is the one it saw when it promised, its
    own hash stands at its seat, and no earlier start had this game or commitment. After a start that was
    called off it promises a new one by itself. It also keeps what it saw at the deal and chose since.
    """

    def __init__(
        self,
        told: Update,
        player_id: UUID,
        choose: Choose,
        *,
        pledge: Pledge | None = None,
        invite: str | None = None,
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Begin with the answer to sitting down, and with the number that was promised there, if any was."""
        self.player_id = player_id
        self.invite = invite
        self.standing = TableState.of(told)
        self.choose = choose
        self.pledge = pledge
        self._chance = chance
        self._pledged_after = self.standing.table.called_off
        self._commitment: str | None = None
        self._bound: list[Kept] = []
        self._shown: str | None = None
        self._refused_at = -1
        self._witness = Witness()
        self._witness.hear(None, told)
        self._turns: dict[int, int] = {}
        self._note_commitment()

    # What it knows.

    @property
    def table_id(self) -> str:
        """Where it sits."""
        return self.standing.table.id

    @property
    def chair(self) -> ChairMessage | None:
        """On which chair, None if it has left or was sent away."""
        return self.standing.chair_of(self.player_id)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to do for it here."""
        return self.standing.is_over or self.chair is None

    @property
    def is_asked(self) -> bool:
        """Whether its choice is awaited now."""
        chair, standing = self.chair, self.standing
        if standing.table.stage != "running" or standing.view is None or chair is None:
            return False
        return chair.minder is None and standing.view.to_act == chair.seat

    def hear(self, told: Told) -> None:
        """Take note of what was told."""
        if isinstance(told, Update):
            self._witness.hear(self.standing, told)
            self.standing = self.standing.after(told)
            self._note_commitment()

    def answered(self, wish: Request[Update], update: Update) -> None:
        """Take note that a wish was granted."""
        if self.standing.table.stage == "starting":
            self._shown = self.standing.table.game
        chosen = wish.body
        if isinstance(chosen, Act) and chosen.code is not None and chosen.seq in self._turns:
            # A repeated request is answered with the present table, so the answer does not number the choice.
            self._witness.made(chosen.seq + 1, self._turns[chosen.seq], chosen.code)
        self.hear(update)

    def refused(self, error: Refused) -> None:
        """Take note that a wish came too late; any other refusal is raised, because it would come again."""
        # Another program of the same player may have shown the number that was promised.
        is_shown = error.code == "unfit" and self.standing.table.stage == "starting"
        if error.code not in OVERTAKEN and not is_shown:
            raise error
        self._refused_at = self.standing.seq
        if error.current is not None:
            self.hear(error.current)

    @property
    def kept(self) -> Kept | None:
        """What the record must agree with: the promise, what was shown at the deal, and our own choices."""
        seen = self._witness
        if self.pledge is None and seen.moves is None:
            return None
        return replace(self._promised, seat=seen.seat, shown=seen.shown, moves=seen.moves)

    @property
    def _promised(self) -> Kept:
        """The promise under which our number was shown.

        A number that we drew must be in the record even if we were never asked to show it.
        """
        if self.pledge is None:
            return Kept()
        if self._is_spent(self.pledge):
            return self._bound[-1]
        return Kept(commitment=self._commitment, nonce=self.pledge.nonce, starts=max(1, len(self._bound)))

    def check(self, record: Record) -> Report:
        """Compare the record of the game with what was kept; raises BrokenPromise."""
        return check_record(record, self.kept)

    # What it wishes.

    def wish(self) -> Request[Update] | None:
        """What to send now, None to wait for what is told next."""
        chair = self.chair
        if chair is None or self._refused_at == self.standing.seq:
            return None
        match self.standing.table.stage:
            case "open":
                return self._before_start(chair)
            case "starting":
                return self._show(chair)
            case "running":
                return self._play(chair)
            case "over":
                return None

    def _before_start(self, chair: ChairMessage) -> Request[Update] | None:
        table = self.standing.table
        if chair.nonce_hash is None:
            return tables.promise(self.table_id, self._pledge_for(table.called_off).nonce_hash)
        if chair.is_host and all(one.kind == "bot" or one.nonce_hash is not None for one in table.chairs):
            return tables.start(self.table_id)
        return None

    def _pledge_for(self, called_off: int) -> Pledge:
        """The number for the next start: a new one after each that was called off, and never one twice."""
        if self.pledge is None or self._is_spent(self.pledge) or self._pledged_after != called_off:
            self.pledge, self._commitment = Pledge.draw(self._chance), None
            self._pledged_after = called_off
        return self.pledge

    def _is_spent(self, pledge: Pledge) -> bool:
        """Whether a number has been shown: from then on it no longer protects the shuffle."""
        return bool(self._bound) and self._bound[-1].nonce == pledge.nonce

    def _show(self, chair: ChairMessage) -> Request[Update] | None:
        table, pledge = self.standing.table, self.pledge
        # Without a pledge it was promised before this program began: the start will be called off.
        if chair.nonce_hash is None or pledge is None:
            return None
        if self._is_spent(pledge) and self._shown == table.game:
            return None
        self._bind(kept_promise(table, chair.seat, pledge, self._commitment), pledge)
        return tables.show_nonce(self.table_id, pledge.nonce)

    def _bind(self, kept: Kept, pledge: Pledge) -> None:
        """Keep the promise under which our number goes out: it holds for this number alone, and it is new."""
        if self._is_spent(pledge):
            if replace(kept, starts=len(self._bound)) != self._bound[-1]:
                raise BrokenPromise("the promise has changed since our number was shown")
            return
        if any(kept.game_id == one.game_id or kept.commitment == one.commitment for one in self._bound):
            raise BrokenPromise("the game or the commitment is that of a start that was called off")
        self._bound.append(replace(kept, starts=len(self._bound) + 1))

    def _play(self, chair: ChairMessage) -> Request[Update] | None:
        if chair.minder is not None:
            return None if chair.resigned else tables.take_back(self.table_id)
        choice = self.choose(self.standing) if self.is_asked else None
        if choice is None or self.standing.view is None:
            return None
        self._turns[self.standing.seq] = self.standing.view.turn
        return tables.act(self.table_id, seq=self.standing.seq, choice=choice)

    def _note_commitment(self) -> None:
        """Remember the commitment that was shown when our own hash first stood at our seat."""
        chair = self.chair
        if self._commitment is not None or self.pledge is None or chair is None:
            return
        if chair.nonce_hash == self.pledge.nonce_hash:
            self._commitment = self.standing.table.commitment
