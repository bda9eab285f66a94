"""A sitting at this keyboard: a game, and the file in which it is kept while it is played."""

import shlex
from pathlib import Path

from cartagena.cli.keeping import Keeper, save_copy
from cartagena.cli.kept_games import Autosave, KeptGame
from cartagena.cli.match import Match, fresh
from cartagena.cli.style import say


class Sitting:
    """One game, with the keeper that writes it down; without one it is forgotten."""

    def __init__(self, match: Match, keeper: Keeper | None) -> None:
        self.match = match
        self._keeper = keeper

    @classmethod
    def autosaved(cls, match: Match, game: KeptGame | None = None) -> "Sitting":
        """A game that is kept among the others of this person; `game` if it is there already."""
        return cls(match, Autosave(match, game))

    @classmethod
    def kept_in(cls, file: Path, match: Match, *, new: bool) -> "Sitting":
        """A game that is kept in a file that the player named; raises Unreadable if it cannot be written."""
        keeper = Keeper(file, match)
        keeper.begin(new=new)
        return cls(match, keeper)

    def keep(self) -> str:
        """Keep the game as it stands; returns what people must be told, usually nothing."""
        return "" if self._keeper is None else self._keeper.keep()

    def again(self) -> "Sitting":
        """A new game of the same seats by the same rules, kept among the others if this one is kept."""
        headers = self.match.headers
        match = fresh(headers.ruleset, headers.names, seed=None)
        return Sitting(match, None if self._keeper is None else Autosave(match))

    def save(self, name: str) -> str:
        """Save a copy in a new file; returns what people must be told."""
        return save_copy(name, self.match.record())

    def end(self) -> None:
        """Leave the file, and say where the game is; raises Unreadable if it is not where it should be."""
        keeper, over = self._keeper, self.match.position.over
        if keeper is None:
            return
        keeper.end()
        if not isinstance(keeper, Autosave):
            file = keeper.file
            say("play.saved.over" if over else "play.saved", file=file, command=shlex.quote(str(file)))
        elif keeper.id is not None and keeper.is_kept:
            say("play.kept.over" if over else "play.kept", id=keeper.id)
