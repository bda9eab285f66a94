"""A player at one table: says what to do next, and leaves the sending to others."""

import secrets
from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

from cartagena.client import tables
from cartagena.client.errors import BrokenPromise, Refused
from cartagena.client.following import Told
from cartagena.client.promise import Kept, Pledge, kept_promise
from cartagena.client.request import Request
from cartagena.client.standing import Standing
from cartagena.messages.tables import ChairMessage
from cartagena.messages.updates import Update
from cartagena.messages.views import view_of
from cartagena.notation import Record
from cartagena.rules.view import View

Choose: TypeAlias = Callable[[View], int]
"""Chooses one of the codes in `view.legal`."""


class Player:
    """Sits at a table, starts the game if it is the host's to start, and plays it to the end.

    It is told what happens (`hear`) and says what it wishes to send (`wish`). Its number for the shuffle is
    shown only after it has looked: the commitment is the one it saw when it promised, and its own hash stands
    at its seat. A start that was called off needs a new number, which it promises by itself. A `pledge` is
    what it promised when it sat down; without one it promises as soon as it can.
    """

    def __init__(
        self,
        table_id: UUID | str,
        player_id: UUID,
        choose: Choose,
        *,
        pledge: Pledge | None = None,
        invite: str | None = None,
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.table_id = table_id
        self.player_id = player_id
        self.invite = invite
        self.kept: Kept | None = None
        self._choose = choose
        self._pledge = pledge
        self._chance = chance
        self._standing: Standing | None = None
        self._commitment: str | None = None
        self._tried_at = -1

    # What it knows.

    @property
    def standing(self) -> Standing:
        """The table as it knows it; only after it has heard of it."""
        assert self._standing is not None, "a player hears before he is asked"
        return self._standing

    @property
    def chair(self) -> ChairMessage | None:
        """Where it sits, None if it has left or was sent away."""
        return self.standing.chair_of(self.player_id)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to do for it here."""
        return self.standing.table.stage == "over" or self.chair is None

    def hear(self, told: Told) -> None:
        """Take note of what was told."""
        if not isinstance(told, Update):
            return
        self._standing = Standing.of(told) if self._standing is None else self._standing.after(told)
        self._note_commitment()

    def refused(self, error: Refused) -> None:
        """Take note that a wish was refused; it is not sent again before something has happened."""
        if error.current is not None:
            self.hear(error.current)

    def check(self, record: Record) -> None:
        """Compare the record with what was promised; raises BrokenPromise."""
        if self.kept is None:
            raise BrokenPromise("this player has taken no part in the shuffle")
        self.kept.check(record)

    # What it wishes.

    def wish(self) -> Request[Update] | None:
        """What to send now, None to wait; each wish is told once for each state of the table."""
        chair = self.chair
        if chair is None or self._tried_at == self.standing.seq:
            return None
        wish = self._wish(chair)
        if wish is not None:
            self._tried_at = self.standing.seq
        return wish

    def _wish(self, chair: ChairMessage) -> Request[Update] | None:
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
        if chair.nonce_hash is None:
            self._pledge, self._commitment = Pledge.draw(self._chance), None
            return tables.promise(self.table_id, self._pledge.nonce_hash)
        chairs = self.standing.table.chairs
        if chair.is_host and all(other.kind == "bot" or other.nonce_hash is not None for other in chairs):
            return tables.start(self.table_id)
        return None

    def _show(self, chair: ChairMessage) -> Request[Update] | None:
        table, pledge = self.standing.table, self._pledge
        if chair.nonce_hash is None or (self.kept is not None and self.kept.promise.game_id == table.game):
            return None
        if pledge is None:
            raise BrokenPromise("a number was promised for us that we do not know")
        self.kept = kept_promise(table, chair.seat, pledge, self._commitment)
        return tables.show_nonce(self.table_id, pledge.nonce)

    def _play(self, chair: ChairMessage) -> Request[Update] | None:
        standing = self.standing
        if chair.minder is not None:
            return None if chair.resigned else tables.take_back(self.table_id)
        if standing.view is None or standing.view.to_act != chair.seat:
            return None
        choice = self._choose(view_of(standing.view))
        return tables.act(self.table_id, seq=standing.seq, choice=choice)

    def _note_commitment(self) -> None:
        """Remember the commitment that was shown when our own hash first stood at our seat."""
        table, chair = self.standing.table, self.chair
        if self._commitment is not None or self._pledge is None or chair is None:
            return
        if table.stage == "open" and chair.nonce_hash == self._pledge.nonce_hash:
            self._commitment = table.commitment
