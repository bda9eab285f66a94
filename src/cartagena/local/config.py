"""What a device is given: time, chance, a place for slow work, and how long to think."""

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cartagena.bots.analysis.effort import ANALYSIS_SIMULATIONS, HINT_SIMULATIONS
from cartagena.bots.players.interface import Bot
from cartagena.bots.players.registry import make
from cartagena.tables.creating import Chance
from cartagena.tables.ports import Aside, here

BOT_SECONDS: Final = 5.0
"""How long a bot may think about a choice."""

logger = logging.getLogger(__name__)


def _log(name: str, reason: str) -> None:
    logger.error("the bot %s gave up: %s", name, reason)


def _now() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """What a device is built with. A choice of a bot takes `seconds` at most and `least_seconds` at least.

    `make` makes a bot by its name, and `gave_up` is told the name and the reason of one that is replaced.
    """

    now: Callable[[], int] = _now
    """Milliseconds since 1970."""
    chance: Chance = secrets.token_bytes
    aside: Aside = here
    seconds: float = BOT_SECONDS
    least_seconds: float = 0.0
    make: Callable[[str], Bot] = make
    gave_up: Callable[[str, str], None] = _log
    hint_simulations: int = HINT_SIMULATIONS
    analysis_simulations: int = ANALYSIS_SIMULATIONS
