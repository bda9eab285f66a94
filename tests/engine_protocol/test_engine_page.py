"""The page of the engine protocol: its exchange is what is said, and what it lists is all that there is."""

import re
from pathlib import Path

import msgspec
import pytest

from cartagena.engine_protocol.conformance import CheckPatience, EngineCheck, check_engine
from cartagena.engine_protocol.conversation import ENDING_SECONDS, GRACE, STARTING_SECONDS, Conversation
from cartagena.engine_protocol.process import LONGEST_LINE
from cartagena.messages.views import ViewMessage
from cartagena.messages.wishes import LegalMessage
from cartagena.rules.actions import Kind
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance
from tests.engine_protocol.engines import FURTHEST, PYTHON, dealt

PAGE = Path(__file__).parents[2] / "docs" / "engine-protocol.md"
SEED = 1672
SECONDS = 1.5


def exchanged(monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said in the first two choices of a game."""
    lines: list[str] = []
    position = dealt("jamaica", 2)
    talk = Conversation(FURTHEST)
    send, line = talk._process.send, talk._process.line

    def sent(words: bytes) -> None:
        lines.append(f"> {words.decode()}")
        send(words)

    def answered(seconds: float) -> bytes | None:
        answer = line(seconds)
        assert answer is not None
        lines.append(f"< {answer.decode()}")
        return answer

    monkeypatch.setattr(talk._process, "send", sent)
    monkeypatch.setattr(talk._process, "line", answered)
    talk.greet()
    talk.begin(view(position, position.to_act), SEED)
    for _ in range(2):
        advance(position, talk.ask(view(position, position.to_act), SECONDS))
    talk.quit()
    return "".join(lines)


def test_the_exchange_of_the_page_is_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = re.findall(
        r"^## A whole exchange\n.*?^```text\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert block == exchanged(monkeypatch)


def test_the_random_engine_of_the_page_keeps_to_it(tmp_path: Path) -> None:
    (block,) = re.findall(
        r"^## A random engine\n.*?^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    engine = tmp_path / "engine.py"
    engine.write_text(f"{block}\n\nmain()\n", encoding="utf-8")
    patience = CheckPatience(grace=20)
    checks = [EngineCheck.PLAYS_NEST, EngineCheck.IGNORES, EngineCheck.QUITS, EngineCheck.LEAVES]
    assert [
        checked.fault for checked in check_engine((*PYTHON, str(engine)), patience=patience, checks=checks)
    ] == [None] * 4


def rows(heading: str) -> set[str]:
    """The names in the first column of the table below a heading."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)^## ", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_page_lists_every_member() -> None:
    assert rows("The view") == {field.encode_name for field in msgspec.structs.fields(ViewMessage)}
    assert rows("The choices") == {field.encode_name for field in msgspec.structs.fields(LegalMessage)}


def test_the_page_lists_every_kind_and_the_times() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    assert all(f"`{kind.value}`" in text for kind in Kind)
    assert f"within {STARTING_SECONDS:g} seconds of its start" in text
    assert f"within {ENDING_SECONDS:g} seconds" in text
    assert f"the grace is {GRACE:g} second" in text
    assert f"at most {LONGEST_LINE:,} bytes" in text
