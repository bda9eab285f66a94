"""The quick loop: what a change touches, and which tests are near enough."""

from scripts import quick
from scripts.durations import REST


def test_imports_are_found_wherever_they_stand() -> None:
    source = "import a.b\nfrom c import (\n    d,\n    e,\n)\ndef f():\n    from g.h import i\n"
    assert set(quick.imported_names(source)) == {"a.b", "c", "c.d", "c.e", "g.h", "g.h.i"}


def test_the_distance_is_the_number_of_imports_on_the_shortest_way() -> None:
    importing = {"a": {"b", "c"}, "b": {"d"}, "c": {"b"}, "d": {"a"}}
    assert quick.distances(["a"], importing) == {"a": 0, "b": 1, "c": 1, "d": 2}


def test_the_nearest_tests_are_taken_as_long_as_they_fit() -> None:
    reached = {
        "src/cartagena/rules/families/escape.py": 0,
        "tests/rules/test_r3_playing.py": 1,
        "tests/bots/test_search.py": 2,
        "tests/words/test_telling.py": 3,
        "tests/cli/test_play.py": 2,
    }
    durations = {
        "tests/rules/test_r3_playing.py": {REST: 2.0},
        "tests/bots/test_search.py": {"test_long": 90.0},
        "tests/words/test_telling.py": {REST: 1.0},
        "tests/cli/test_play.py": {REST: 5.0},
    }
    selection = quick.select(reached, durations, 10)
    assert selection.run == [*quick.ALWAYS, "tests/cli/test_play.py", "tests/words/test_telling.py"]
    assert selection.left == ["tests/bots/test_search.py"]


def test_a_changed_file_of_tests_is_run_however_long_it_takes() -> None:
    selection = quick.select(
        {"tests/bots/test_search.py": 0}, {"tests/bots/test_search.py": {REST: 900.0}}, 10
    )
    assert "tests/bots/test_search.py" in selection.run


def test_a_change_of_the_engine_reaches_its_tests_and_a_change_of_the_pages_their_own() -> None:
    importing = quick.importers(quick.modules())
    reached = quick.distances(["src/cartagena/rules/families/escape.py"], importing)
    assert "tests/rules/test_r3_playing.py" in reached
    assert "tests/server/test_http_guard.py" in quick.distances(
        ["src/cartagena/server/http/authorization.py"], importing
    )
    commands = dict(quick.commands(["web/src/main.ts", "docs/index.md"], quick.Selection([], [])))
    assert "types" not in commands
