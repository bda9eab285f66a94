"""Whole games on the screen, played to the end by nothing but keys."""

import pytest

from cartagena.fairness.record import verify_record
from cartagena.terminal.glyphs import ASCII, UNICODE, Glyphs
from tests.terminal.keyboard import app_of, brush_for, match_of, play_to_the_end, shows, table_of, text_of

GAMES = [
    ("tortuga", 2, 1, "en", ASCII),
    pytest.param("tortuga", 3, 0, "nl", ASCII, marks=pytest.mark.long),
    pytest.param("nest", 3, 0, "de", ASCII, marks=pytest.mark.long),
    ("jamaica", 2, 1, "de", UNICODE),
    pytest.param("jamaica", 3, 1, "en", UNICODE, marks=pytest.mark.long),
    ("nest", 2, 1, "sv", ASCII),
    pytest.param("nest", 3, 1, "en", ASCII, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("preset", "seats", "bots", "language", "glyphs"), GAMES)
async def test_a_game_is_played_to_its_end_by_keys(
    preset: str, seats: int, bots: int, language: str, glyphs: Glyphs
) -> None:
    match = match_of(preset, seats, bots)
    brush = brush_for(match, language, glyphs)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=(80, 24)) as pilot:
        await play_to_the_end(pilot, app)
        assert match.position.over
        await shows(app, brush.say("terminal.page.end"))
        if glyphs is ASCII:
            assert text_of(app).isascii()
    assert verify_record(match.record).holds
