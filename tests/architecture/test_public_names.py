"""What `import cartagena` offers is what it lists."""

import subprocess
import sys

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
