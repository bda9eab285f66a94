"""What the picture of a link shows, in one language."""

from collections.abc import Sequence
from typing import Final

from cartagena.messages.accounts import PlayerMessage
from cartagena.messages.lobby import RatingMessage
from cartagena.messages.views import view_message
from cartagena.rules.hidden.view import view
from cartagena.server.pages.link_pictures import LinkPicture
from cartagena.server.pages.link_texts import PageTexts
from cartagena.tables.table import Table

_FOR_PLAYERS: Final = "nest"
"""The board on which their sheets lie: it is not that of all others."""
_SLOGAN: Final = ("web.home.hero.line1", "web.home.hero.line2", "web.home.hero.line3")


class PictureTexts(PageTexts):
    """The words of pictures, which are those of the pages; the game is as a spectator may see it."""

    def general_picture(self) -> LinkPicture:
        """What stands for everything that has no picture of its own, or that a stranger may not see."""
        return LinkPicture(
            language=self._language,
            title=" ".join(self._words.say(line) for line in _SLOGAN),
            text=self._words.say("web.home.hero.what"),
        )

    def lesson_picture(self, name: str) -> LinkPicture:
        """A lesson by its name."""
        key = self._key_of_lesson(name)
        if key is None:
            return self.general_picture()
        return LinkPicture(
            language=self._language, title=self._words.say(key), text=self._words.say(f"{key}.what")
        )

    def player_picture(self, player: PlayerMessage, ratings: Sequence[RatingMessage]) -> LinkPicture:
        """A player, with the ratings that count for the ladder."""
        return LinkPicture(
            language=self._language,
            title=player.name,
            text=self._description_of_player(player, ratings),
            ruleset=_FOR_PLAYERS,
        )

    def table_picture(self, table: Table, *, invited: bool) -> LinkPicture:
        """A table that the reader may see: its game, or before the deal who invites to it."""
        sheet = table.sheet
        if table.game is None:
            return LinkPicture(
                language=self._language,
                title=self._heading_of_table(sheet, invited=invited) or self._game(sheet.rules.key),
                text=self._description_of_table(sheet, self._terms_at_a_table(sheet)),
                ruleset=sheet.rules.key,
            )
        return self._game_picture(table, self._description_of_table(sheet, self._terms_at_a_table(sheet)))

    def replay_picture(self, table: Table) -> LinkPicture:
        """A game that the reader may look at; what the page shows before the deal is not the table."""
        sheet = table.sheet
        if table.game is None:
            return self.general_picture()
        return self._game_picture(table, self._description_of_replay(sheet, self._terms_at_a_table(sheet)))

    def _game_picture(self, table: Table, text: str) -> LinkPicture:
        assert table.position is not None, "only games are drawn"
        return LinkPicture(
            language=self._language,
            title=self._game(table.sheet.rules.key),
            text=text,
            seats=tuple(self._names(table.sheet)),
            view=view_message(view(table.position, None)),
        )
