"""An engine as a bot: in the arena, at the keyboard, and wherever else a person here names one."""

import contextlib
import hashlib
from collections.abc import Sequence
from random import Random
from threading import Lock
from typing import Final

from cartagena.bots.players.interface import Budget
from cartagena.engine_protocol.conversation import Conversation
from cartagena.engine_protocol.faults import EngineFault
from cartagena.messages.engine_lines import InfoLine
from cartagena.rules.hidden.view import View

UNHURRIED_SECONDS: Final = 1.0
"""How long an engine may think about a choice where other bots have no limit."""
SEED_BYTES: Final = 4
_WORK: Final = 2**12
"""The cost of scrypt: a guess at the seed costs more than one by the board, which the engine sees anyway."""


class EngineBot:
    """Plays one seat of one game in a process of its own, which begins with the first choice.

    An engine that fails is ended and not started again: each further `choose` raises the same EngineFault.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._conversation: Conversation | None = None
        self._fault: EngineFault | None = None
        # A game may be left while the engine thinks, in another thread.
        self._lock = Lock()
        self._is_thinking = False
        self._is_closed = False

    @property
    def info(self) -> InfoLine | None:
        """What the engine told about its last choice."""
        return None if self._conversation is None else self._conversation.info

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        """The code of one of `view.legal`; raises EngineFault."""
        if self._fault is not None:
            raise self._fault
        self._is_thinking = True
        try:
            conversation = self._conversation or self._begun(view, chance)
            return conversation.ask(view, UNHURRIED_SECONDS if budget.seconds is None else budget.seconds)
        except EngineFault as fault:
            self._fault = fault
            if self._conversation is not None:
                self._conversation.end()
            raise
        finally:
            self._is_thinking = False

    def close(self) -> None:
        """End the process: politely, unless it has failed or thinks."""
        with self._lock:
            self._is_closed = True
        if self._conversation is None or self._fault is not None:
            return
        if self._is_thinking:
            self._conversation.end()
            return
        with contextlib.suppress(EngineFault):
            self._conversation.quit()

    def _begun(self, view: View, chance: Random) -> Conversation:
        with self._lock:
            assert not self._is_closed, "the game of this bot is over"
            conversation = self._conversation = Conversation(self._command)
        conversation.greet()
        conversation.begin(view, told_seed(chance))
        return conversation


def told_seed(chance: Random) -> int:
    """The number that an engine draws its chance from: equal for equal chance, and no help to guess that."""
    # A person may have typed a short seed, from which the hidden cards follow as well.
    drawn, salt = chance.randbytes(32), b"seed of an engine"
    return int.from_bytes(hashlib.scrypt(drawn, salt=salt, n=_WORK, r=8, p=1, dklen=SEED_BYTES))
