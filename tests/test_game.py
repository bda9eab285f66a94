"""A game: chance inside, words for actions, undo, views, bots, records, positions as values."""

import pickle
import subprocess
import sys
from copy import copy, deepcopy
from dataclasses import replace
from random import Random, SystemRandom
from textwrap import dedent
from typing import Any

import pytest

import cartagena
from cartagena import NOBODY, PRESETS, TORTUGA, Action, Game, IllegalAction, Kind, Refusal
from cartagena.notation import AmbiguousAction, NotationError, format_position, format_record, parse_position
from cartagena.rules.happenings import Passed
from cartagena.rules.position import ACT
from cartagena.words import languages

EVERYWHERE = pytest.mark.parametrize(
    ("ruleset", "seats"), [(key, seats) for key in PRESETS for seats in (2, 5)]
)


def first_moves(game: Game, number: int) -> None:
    for _ in range(number):
        game.push(game.moves()[-1])


@EVERYWHERE
def test_a_game_plays_to_its_end_by_its_moves(ruleset: str, seats: int) -> None:
    game = Game.start(ruleset, seats=seats, seed=1)
    chance = Random(1)
    while not game.over:
        assert game.to_act in range(seats)
        game.push(chance.choice(game.moves()))
    assert (game.moves(), game.to_act) == ([], NOBODY)
    assert game.winner is None or game.position.crews[game.winner].home == 6


@EVERYWHERE
def test_equal_seeds_give_equal_games(ruleset: str, seats: int) -> None:
    games = [Game.start(ruleset, seats=seats, seed="x") for _ in range(2)]
    other = Game.start(ruleset, seats=seats, seed="y")
    assert games[0].position == games[1].position != other.position
    for game in games:
        game.play_out("random")
    assert str(games[0]) == str(games[1])


def test_without_a_seed_two_games_differ() -> None:
    assert Game.start().position != Game.start().position


def test_chance_may_be_handed_in() -> None:
    assert Game.start(chance=Random(5)).position == Game.start(chance=Random(5)).position
    with pytest.raises(ValueError, match="not both"):
        Game.start(seed=1, chance=Random(1))


def test_a_ruleset_may_be_a_value_or_a_line() -> None:
    assert Game.start(TORTUGA, seed=1).position == Game.start("tortuga", seed=1).position
    assert Game.start("jamaica pass_allowed=true").ruleset.pass_allowed
    with pytest.raises(NotationError, match="a ruleset"):
        Game.start("chess")


def test_seats_and_names_have_limits() -> None:
    for seats in (1, 6):
        with pytest.raises(ValueError, match=f"2 to 5 seats, not {seats}"):
            Game.start(seats=seats)
    with pytest.raises(ValueError, match="3 names are too many for 2 seats"):
        Game.start(names=("Anne", "Bart", "Cora"))
    headers = Game.start(seats=3, names=("Anne",)).headers
    assert headers is not None
    assert headers.names == ("Anne", "", "")


def test_moves_read_well_and_are_values() -> None:
    game = Game.start("tortuga", seats=3, seed=1)
    move, *others = game.moves()
    assert str(move) == "play bottle start"
    assert repr(move) == "Move('play bottle start')"
    assert (move.kind, move.place, move.crew) == (Kind.PLAY, 0, None)
    assert game.moves()[0] == move
    assert move == "play bottle start" != others[0]
    assert "end_turn" not in game.moves()
    assert len({move, "play bottle start"}) == 1
    assert len({move, *others, *game.moves()}) == len(game.moves())


def test_a_move_an_action_a_text_and_a_code_do_the_same() -> None:
    games = [Game.start("tortuga", seed=3) for _ in range(4)]
    move = games[0].moves()[0]
    action = cartagena.action_of("escape", move.code)
    choices: tuple[Action | str | int, ...] = (move, action, str(move), move.code)
    happened = [game.push(choice) for game, choice in zip(games, choices, strict=True)]
    assert all(told == happened[0] for told in happened)
    assert all(game.position == games[0].position for game in games)


def test_a_refused_action_says_why() -> None:
    game = Game.start("tortuga", seed=3)
    assert game.refusal("end_turn") is Refusal.MUST_ACT
    sentence = "You cannot end your turn yet: you must make at least one action. (R2.8)"
    assert str(game.refusal("end_turn")) == sentence
    with pytest.raises(IllegalAction) as raised:
        game.push("end_turn")
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):  # noqa: S301 - our own bytes
        assert (str(error), error.refusal) == (sentence, Refusal.MUST_ACT)
    none = Action(kind=Kind.RETREAT, place=0)
    assert game.refusal(none) is Refusal.NO_RETREAT_FROM_START
    with pytest.raises(IllegalAction, match="R4"):
        game.push(none)
    with pytest.raises(AmbiguousAction):
        game.push("play")
    with pytest.raises(NotationError, match="an action"):
        game.push("castle")


def test_undo_takes_back_what_revealed_nothing() -> None:
    game = Game.start("tortuga", seed=3)
    before = game.position.copy()
    assert game.refusal_of_undo() is Refusal.NOTHING_TO_UNDO
    move = game.moves()[0]
    game.push(move)
    assert [event.code for event in game.events] == [move.code]
    game.undo()
    assert game.position == before
    assert not game.events
    with pytest.raises(IllegalAction, match="nothing in this turn"):
        game.undo()


def test_a_view_hides_what_its_seat_may_not_know() -> None:
    game = Game.start("jamaica", seed=3)
    seat = game.to_act
    seen = game.view(seat)
    assert seen.hands[seat] is not None
    assert seen.hands[1 - seat] is None
    assert game.view().hands == (None, None)


def test_bots_play_by_name_by_seat_or_themselves() -> None:
    game = Game.start("tortuga", seats=3, seed=4)
    assert game.choice_of("deckhand") in game.moves()
    game.copy().play_out(["random", cartagena.bots.make("deckhand"), "random"])
    assert not game.over
    with pytest.raises(ValueError, match="name a bot for each of the 3 seats, or one for all: you named 2"):
        game.play_out(["random", "random"])
    with pytest.raises(cartagena.bots.BotError, match="choose one of"):
        game.play_out("admiral")
    game.play_out(cartagena.bots.make("random"))
    assert game.over


@pytest.mark.parametrize("chance", [Random(3), SystemRandom()], ids=["seeded", "of the system"])
def test_a_copy_goes_on_by_itself_and_changes_nothing_for_the_other(chance: Random) -> None:
    game = Game.start("jamaica", chance=chance)
    first_moves(game, 3)
    before = game.position.copy()
    twin = game.copy()
    twin.play_out("random")
    assert twin.over
    assert game.position == before
    if not isinstance(chance, SystemRandom):
        game.play_out("random")
        assert str(game) == str(twin)


def test_a_hint_is_legal() -> None:
    game = Game.start("tortuga", seed=4)
    hint = game.hint()
    assert hint.best.codes[0] in [move.code for move in game.moves()]
    (tip,) = game.tell(hint)
    assert tip.endswith(f"Chance to win: {round(100 * hint.best.chances[game.to_act])} %.")


def test_a_game_is_a_record_and_goes_on_from_it() -> None:
    game = Game.start("nest", seats=2, seed=5, names=("Anne", "Bart"))
    first_moves(game, 8)
    again = Game.of_record(str(game))
    assert again.position == game.position
    assert str(again) == str(game)
    assert "Anne" in str(game)
    # Both know the secret of the shuffle, so both go on alike.
    first_moves(game, 200)
    first_moves(again, 200)
    assert again.position == game.position


def test_a_game_goes_on_from_any_position() -> None:
    game = Game.start("jamaica", seed=6)
    first_moves(game, 5)
    later = Game.of_position(game.position, chance=Random(1))
    assert Game.of_record(later.record()).position == later.position
    later.play_out("random")
    assert later.over
    assert not game.over
    assert Game.of_position(Game.start("jamaica", seed=6).position).record().steps == ()


def test_a_game_shows_how_far_it_is() -> None:
    game = Game.start("tortuga", seats=3, seed=1)
    assert repr(game) == f"<Game of tortuga, 3 seats, turn 1, seat {game.to_act} to act>"
    game.play_out("random")
    assert repr(game).endswith("over>")


# What a first reader stumbled over.


def test_moves_are_chosen_by_the_words_of_their_text() -> None:
    game = Game.start("nest", seats=2, seed=1)
    for move in game.moves():
        words = str(move).split()
        if move.crew is None:
            assert words == [move.kind.value, *filter(None, (move.card_word, move.place_word))]
        assert move in game.moves(move.kind)
        assert move in game.moves(move.kind.value, card=move.card_word, place=move.place_word)
    assert game.moves(place=0) == []
    assert game.moves("retreat") == []
    with pytest.raises(ValueError, match="castle"):
        game.moves("castle")


def test_what_happened_is_told_in_sentences() -> None:
    game = Game.start("tortuga", seed=1)
    happened = game.push("play pistol start")
    assert game.tell(happened)[0] == "Red plays the pistol."
    assert game.tell(happened, "de")[0] != game.tell(happened)[0]


def test_a_refusal_is_told_in_every_language() -> None:
    game = Game.start("tortuga", seed=1)
    told = {language: game.tell(Refusal.MUST_ACT, language) for language in languages()}
    assert told["en"][0] == "You cannot end your turn yet: you must make at least one action."
    assert len({tuple(lines) for lines in told.values()}) == 4
    assert all(rule.startswith("R2.8: ") for _, rule in told.values())
    assert all(str(reason).endswith(f" ({reason.rule})") for reason in Refusal)


def test_players_are_called_by_their_names_unless_two_have_the_same() -> None:
    game = Game.start("tortuga", seats=4, seed=1, names=("Anne", "Bart", "Bart"))
    happened = [Passed(seat, forced=False) for seat in range(4)]
    assert game.tell(happened) == ["Anne passes.", "Blue passes.", "Yellow passes.", "Green passes."]
    assert game.names == ("Anne", "Blue", "Yellow", "Green")
    later = Game.of_position(game.position)
    assert (later.tell(happened)[0], later.names[3]) == ("Red passes.", "Green")


def test_what_belongs_to_the_other_game_is_refused() -> None:
    game = Game.start("tortuga", seed=1)
    with pytest.raises(ValueError, match="a move of the other game; this is tortuga"):
        game.push(Game.start("nest", seed=1).moves()[0])
    with pytest.raises(ValueError, match="an action of the other game"):
        game.push(Action(kind=Kind.SAIL))
    with pytest.raises(TypeError):
        game.push(None)  # type: ignore[arg-type]


@EVERYWHERE
def test_a_record_is_stepped_through(ruleset: str, seats: int) -> None:
    whole = Game.start(ruleset, seats=seats, seed=2)
    whole.play_out("random")
    record = whole.record()
    moves, last = [], None
    for game, move, happened in Game.replayed(record):
        assert happened
        moves.append(move.code)
        last = game
    assert moves == [step.code for step in record.steps]
    assert last is not None
    assert last.position == whole.position
    # Without its secret a record still has the orders of its cards.
    unsecret = replace(record, headers=replace(record.headers, secret=None))
    assert sum(1 for _ in Game.replayed(format_record(unsecret))) == len(moves)


def test_games_are_copied_and_pickled() -> None:
    game = Game.start("jamaica", seed=2)
    first_moves(game, 4)
    for twin in (copy(game), deepcopy(game), pickle.loads(pickle.dumps(game))):  # noqa: S301 - our own bytes
        assert twin.position == game.position
        twin.push(twin.moves()[0])
        assert twin.position != game.position
        assert len(game.events) == 4


def test_to_ask_changes_nothing() -> None:
    asked, silent = (Game.start("jamaica", seed=1) for _ in range(2))
    asked.hint()
    asked.choice_of("sailor")
    asked.copy()
    asked.play_out("random")
    silent.play_out("random")
    assert str(asked) == str(silent)


def test_a_position_that_was_handed_out_may_be_changed() -> None:
    game = Game.start("tortuga", seed=1)
    before = game.position
    cartagena.apply(game.position, game.moves()[0].code)
    assert game.position == before


def test_a_bot_that_chooses_nonsense_is_named() -> None:
    class Odd:
        answer: object = 9999

        def choose(self, *_: object) -> object:
            return self.answer

    game = Game.start("tortuga", seed=1)
    odd: Any = Odd
    with pytest.raises(cartagena.bots.BotError, match=r"9999, which is none of `view\.legal`"):
        game.play_out(odd)
    Odd.answer = game.moves()[0]
    assert game.choice_of(odd()) == game.moves()[0]
    nobody: Any = 7
    with pytest.raises(cartagena.bots.BotError, match="no method `choose`"):
        game.play_out(nobody)


def test_after_the_end_there_is_nothing_to_ask() -> None:
    game = Game.start("tortuga", seed=1)
    game.play_out("random")
    for ask in (game.hint, game.choice_of):
        with pytest.raises(IllegalAction, match="The game is over"):
            ask()


def test_a_game_without_a_record_prints_its_position() -> None:
    game, chance = Game.start("nest", seed=6), Random(1)
    while game.position.phase == ACT:
        game.push(chance.choice(game.moves("push") or game.moves()))
    assert not game.over
    later = Game.of_position(game.position)
    assert later.headers is None
    with pytest.raises(ValueError, match="in the middle of an action"):
        later.record()
    assert str(later) == repr(game.position)
    assert cartagena.svg(later) == later.to_svg()


# Positions as values.


@EVERYWHERE
def test_the_text_that_python_shows_gives_the_position_back(ruleset: str, seats: int) -> None:
    game = Game.start(ruleset, seats=seats, seed=8)
    shown = 0
    while not game.over:
        game.push(game.choice_of("random"))
        position = game.position
        text = repr(position)
        if text.startswith("<"):
            assert text.startswith(f"<Position of {ruleset}, turn {position.turn}: ")
            continue
        again = parse_position(text)
        assert again == position
        assert hash(again) == hash(position)
        assert format_position(again) == text
        shown += 1
    assert shown > 50


def test_positions_differ_in_whatever_lies_on_the_table() -> None:
    position = Game.start("nest", seats=3, seed=8).position
    same = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own bytes
    assert position == same
    assert len({position, same, position.copy()}) == 1
    assert position != position.row()
    for move in Game.of_position(position).moves():
        other = position.copy()
        cartagena.apply(other, move.code)
        assert other != position


# What the service must not know.


def test_the_service_shows_no_position() -> None:
    program = """
        import sys
        import cartagena.server.main, cartagena.server.web_app, cartagena.server.worker_app
        from cartagena.rules import position, refusals
        assert "cartagena.api" not in sys.modules and position.describe is refusals.in_words is None
    """
    subprocess.run([sys.executable, "-c", dedent(program)], check=True)  # noqa: S603 - our own program
