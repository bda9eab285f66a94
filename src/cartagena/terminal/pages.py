"""The pages that lie over a table, each for the audience that opened it."""

from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from cartagena.terminal.setting_screen import Page, SavePage


class TablePages:
    """Opens pages over a table, and closes them when another audience looks at it.

    A page may tell a hand, and at one keyboard it would else lie over the table of the next person.
    """

    def __init__(self, table: Screen[Any]) -> None:
        self._table = table
        self._audience: int | None = None

    def open(self, page: Page | SavePage, closed: Callable[[str | None], None]) -> None:
        """Open a page once the keys before it are handled, unless another audience looks by then."""
        self._table.call_later(self._push, page, closed, self._audience)

    async def _push(
        self, page: Page | SavePage, closed: Callable[[str | None], None], audience: int | None
    ) -> None:
        if audience == self._audience:
            await self._table.app.push_screen(page, closed)

    def turn_to(self, audience: int | None) -> None:
        """Take note of who looks now, and close what others have opened."""
        if audience == self._audience:
            return
        self._audience = audience
        app = self._table.app
        while self._table in app.screen_stack and app.screen is not self._table:
            _ = app.pop_screen()
