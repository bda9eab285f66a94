"""What lies before a person, without any screen: wishes, light, drawings, words."""

import re
from functools import cache

import pytest
from rich.text import Text

from cartagena import Game
from cartagena.messages.wishes import wishes_message
from cartagena.rules.actions import Kind, action_of
from cartagena.rules.codes import END_TURN
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import legal
from cartagena.rules.places import HOME, SLOOP, START
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS
from cartagena.terminal.board import BoardDrawing, rows_of
from cartagena.terminal.choices import Choosing, Pirate
from cartagena.terminal.desk import Desk, wrapped
from cartagena.terminal.glyphs import ASCII, UNICODE, Glyphs, draw_cards, lights_of
from cartagena.terminal.source import Moment, Role
from cartagena.words import Words, languages
from cartagena.words.sentences import Names
from tests.terminal.keyboard import brush_for, match_of


def choosing_at(position: Position) -> Choosing:
    """What the seat to act may wish for."""
    return Choosing(view(position, position.to_act), wishes_message(position))


@cache
def positions(preset: str, seats: int = 3) -> list[Position]:
    """Every position of a game between bots."""
    game = Game.start(preset, seats=seats, seed="1672")
    found = []
    while not game.over:
        found.append(game.position)
        game.push(game.choice_of("sailor"))
    return found


def seen(lines: list[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_choice_can_be_looked_at_and_nothing_else_can_be_done(preset: str) -> None:
    for position in positions(preset)[::7]:
        codes = set(legal(position))
        choosing = choosing_at(position)
        found = {wish.code for wish in choosing.wishes}
        for pirate in choosing.pirates:
            while choosing.pirate != pirate:
                choosing.next_pirate(1)
            found |= {wish.code for wish in choosing.wishes}
        assert found - {None} == codes
        for code in codes:
            assert choosing.to_code(code)
            assert choosing.wish is not None
            assert choosing.wish.code == code


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_refused_has_its_reason(preset: str) -> None:
    for position in positions(preset)[::11]:
        for wish in choosing_at(position).wishes:
            assert (wish.explanation is None) == (wish.refusal is not None)


def test_the_light_is_that_of_the_wish() -> None:
    position = match_of("tortuga", 2, 0).position
    choosing = choosing_at(position)
    assert choosing.wish is not None
    assert choosing.wish.explanation is not None
    lights = lights_of(choosing, None)
    assert lights[START] == "from"
    assert lights[choosing.wish.explanation.target or 0] == "destination"
    others = {wish.explanation.target for wish in choosing.wishes if wish.explanation} - {
        choosing.wish.explanation.target
    }
    assert all(lights[place] == "reachable" for place in others if place is not None)


def test_spaces_that_a_card_passes_are_lit() -> None:
    position, choice = next(
        (position, choice)
        for position in positions("jamaica")
        for choice in wishes_message(position).legal
        if choice.jumped and choice.kind is Kind.PLAY
    )
    choosing = choosing_at(position)
    choosing.to_code(choice.code)
    lights = lights_of(choosing, None)
    assert [lights[place] for place in choice.jumped] == ["skipped"] * len(choice.jumped)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("width", [49, 101])
def test_a_board_fits_and_every_place_can_be_clicked_on(
    preset: str, glyphs: Glyphs, language: str, width: int
) -> None:
    match = match_of(preset, 5, 0)
    brush = brush_for(match, language, glyphs)
    drawing = BoardDrawing(brush=brush, view=view(match.position, 0)).draw(width, 14)
    assert len(drawing.lines) <= 14
    assert max(len(line.plain) for line in drawing.lines) <= width
    clicked = {drawing.place_at(line, column) for line in range(14) for column in range(width)}
    places = {START, HOME, *(place for row in rows_of(match.ruleset.family) for place in row)}
    assert places <= clicked
    if glyphs is ASCII:
        assert seen(drawing.lines).isascii()


def test_the_board_says_who_stands_where() -> None:
    position = positions("tortuga")[-1]
    drawing = BoardDrawing(brush=brush_for(match_of("tortuga", 3, 3)), view=view(position, None)).draw(49, 14)
    start, *rows, home = [line.plain for line in drawing.lines]
    for shape, crew in zip("●■▲", position.crews, strict=True):
        places = crew.places(SLOOP)
        assert "".join(rows).count(shape) == len([place for place in places if place not in {START, HOME}])
        for line, place in ((start, START), (home, HOME)):
            number = places.count(place)
            assert (f"{shape}" in line) == (number > 0)
            assert number == 0 or re.search(rf"{shape}[RBY]{UNICODE.times}{number}", line)


def test_a_hidden_hand_is_a_number_only() -> None:
    match = match_of("jamaica", 3, 0)
    brush = brush_for(match)
    lines = seen(draw_cards(brush, view(match.position, 0), (), None, 49)).splitlines()
    assert ":" in lines[1]
    assert [line.split(maxsplit=2)[-1] for line in lines[2:]] == ["6 cards", "6 cards"]


def test_a_name_cannot_command_the_terminal() -> None:
    match = match_of("tortuga", 2, 0)
    desk = Desk(brush_for(match))
    desk.show(Moment(view=view(match.position, 0), players=("A\x1b[2J", "B\r")))
    assert "\x1b" not in seen(desk.cards(49))
    desk.show(Moment(view=None, players=("A\x1b[2J", "B\r")))
    assert "\x1b" not in seen(desk.board(49, 14).lines)


def test_cards_that_do_not_fit_go_on_below() -> None:
    match = match_of("nest", 2, 0)
    brush = brush_for(match)
    sight = view(match.position, 0)._replace(hands=(tuple(range(14)), None))
    lines = seen(draw_cards(brush, sight, (), None, 49)).splitlines()
    assert all(len(line) <= 49 for line in lines)
    assert len(lines) == 4


def test_a_sign_is_found_by_its_letter_plain_before_gold() -> None:
    match = match_of("nest", 2, 0)
    desk = Desk(brush_for(match))
    sight = view(match.position, match.position.to_act)
    hands = tuple((5, 12) if seat == sight.seat else None for seat in range(2))
    desk.show(Moment(view=sight._replace(hands=hands), wishes=wishes_message(match.position)))
    choosing = desk.choosing
    assert choosing is not None
    found = []
    for _ in range(3):
        choosing.to_cards(desk.cards_with("p"))
        assert choosing.wish is not None
        found.append(choosing.wish.action.card)
    assert sorted(set(found), key=lambda card: card or 0) == [5, 12]
    assert not choosing.to_cards(desk.cards_with("x"))


def test_a_place_is_the_way_there_or_the_pirate_that_stands_there() -> None:
    game = Game.start("tortuga", seed="1672")
    choosing = choosing_at(game.position)
    target = next(wish.explanation.target for wish in choosing.wishes[::-1] if wish.explanation)
    assert target is not None
    assert choosing.to_place(target)
    assert choosing.wish is not None
    assert choosing.wish.explanation is not None
    assert choosing.wish.explanation.target == target
    game.push(choosing.wish.explanation.code)
    choosing = choosing_at(game.position)
    assert choosing.to_place(target)
    assert choosing.pirate == Pirate(game.position.to_act, target)
    assert not choosing.to_place(HOME)


def test_nobody_chooses_a_pirate_of_others_where_nobody_can_push_it() -> None:
    game = Game.start("tortuga", seed="1672")
    first = choosing_at(game.position).wishes[0].explanation
    assert first is not None
    assert first.target is not None
    game.push(first.code)
    game.push(END_TURN)
    choosing = choosing_at(game.position)
    assert not choosing.to_place(first.target)
    assert choosing.pirate == Pirate(game.position.to_act, START)


def test_a_long_list_keeps_what_is_looked_at_in_sight() -> None:
    match = match_of("tortuga", 2, 0)
    desk = Desk(brush_for(match))
    seat = match.position.to_act
    desk.show(Moment(view=view(match.position, seat), wishes=wishes_message(match.position)))
    assert desk.choosing is not None
    desk.choosing.turn_to(len(desk.choosing.wishes) - 1)
    assert "end the turn" in seen(desk.wishes(4))
    assert len(desk.wishes(4)) == 4


def test_pushes_of_the_nest_can_be_chosen() -> None:
    pushed = next(
        (position, code)
        for position in positions("nest")
        for code in legal(position)
        if action_of("nest", code).kind is Kind.PUSH
    )
    choosing = choosing_at(pushed[0])
    assert choosing.to_code(pushed[1])
    assert choosing.pirate in choosing.pirates
    assert choosing.pirate is not None
    assert choosing.pirate.crew != pushed[0].to_act


@pytest.mark.parametrize("language", languages())
def test_letters_of_signs_differ_and_are_no_commands(language: str) -> None:
    for ruleset in PRESETS.values():
        names = Names(Words(language), ruleset)
        letters = {names.letter_of_sign(sign) for sign in range(len(ruleset.signs))}
        assert len(letters) == len(ruleset.signs)
        assert not letters & set("RCEZTWLQ")


@pytest.mark.parametrize("language", languages())
def test_the_line_of_keys_fits(language: str) -> None:
    for words in (Words(language), Words(language, ascii_only=True)):
        for key in ("terminal.keys", "terminal.keys.over", "terminal.keys.record", "terminal.keys.watch"):
            assert len(words.say(key, sides="</>", ends="^/v")) < 79, key


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", languages())
def test_how_to_play_fits_the_smallest_page(language: str, preset: str) -> None:
    for glyphs in (UNICODE, ASCII):
        desk = Desk(brush_for(match_of(preset, 2, 0), language, glyphs))
        for text in (desk.how_to_play(), desk.help()):
            assert len(wrapped(text.splitlines(), 70)) <= 18, text
        assert desk.how_to_play().endswith("cartagena rules")


@pytest.mark.parametrize(("role", "key"), [(Role.FOLLOWING, "record"), (Role.WATCHING, "watch")])
def test_who_does_not_play_is_shown_other_keys(role: Role, key: str) -> None:
    brush = brush_for(match_of("tortuga", 2, 0))
    playing, other = Desk(brush), Desk(brush, role)
    assert other.keys(200) == [f" {brush.say(f'terminal.keys.{key}', sides='←→', ends='↑↓')}"]
    assert "Enter" not in "".join(other.keys(200))
    assert other.help() == brush.say(f"terminal.help.{key}")
    assert playing.keys(200) != other.keys(200)
    assert playing.help() != other.help()
