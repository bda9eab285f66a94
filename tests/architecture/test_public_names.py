"""What `import cartagena` offers is what it lists."""

import subprocess
import sys
from textwrap import dedent

import pytest

import cartagena
from cartagena import api


def test_every_public_name_can_be_asked_for() -> None:
    assert sorted(set(api.__all__)) == sorted(api.__all__)
    assert all(getattr(cartagena, name) is getattr(api, name) for name in api.__all__)
    assert set(api.__all__) < set(dir(cartagena))


def test_a_star_imports_the_public_names_and_no_other() -> None:
    namespace: dict[str, object] = {}
    exec("from cartagena import *", namespace)  # noqa: S102  # a star is allowed at module level only
    assert set(namespace) - {"__builtins__"} == set(api.__all__)


def test_the_package_itself_does_not_wait_for_the_engine() -> None:
    question = "import cartagena, sys; print('cartagena.rules.position' in sys.modules)"
    answer = subprocess.run(  # noqa: S603  # our own question
        [sys.executable, "-c", question], check=True, capture_output=True, text=True
    )
    assert answer.stdout == "False\n"


def test_whatever_is_offered_is_found_once_and_kept() -> None:
    for name in api.__all__:
        assert getattr(cartagena, name) is getattr(api, name)
        assert name in vars(cartagena)
    assert {"Game", "Move", "bots", "notation", "hint"} <= set(dir(cartagena))
    # CPython specialises the access to a name only in modules without this function.
    assert "__getattr__" not in vars(cartagena)
    with pytest.raises(AttributeError, match="no attribute 'no_such_thing'"):
        getattr(cartagena, "no_such_thing")  # noqa: B009 - for mypy there is none


@pytest.mark.parametrize("name", ["no_such_thing", "__no_such_thing__"])
def test_what_is_not_offered_is_missed_before_anything_is_loaded(name: str) -> None:
    program = f"""
        import cartagena
        listed = dir(cartagena)
        assert not hasattr(cartagena, {name!r}) and not hasattr(cartagena, {name!r})
        from cartagena import arena, hint
        assert {{*listed}} <= {{*dir(cartagena)}} and "hint" in listed and not hasattr(cartagena, {name!r})
    """
    subprocess.run([sys.executable, "-c", dedent(program)], check=True)  # noqa: S603 - our own program
