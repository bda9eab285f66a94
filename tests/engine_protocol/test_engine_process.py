"""The process of an engine: it starts when it is asked, fails with a reason, and leaves nothing behind."""

import gc
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from cartagena.arena.contest import Contest, contestant, line_up
from cartagena.bots.players.interface import Budget, close
from cartagena.bots.players.registry import BotError
from cartagena.engine_protocol import make
from cartagena.engine_protocol.conversation import Conversation
from cartagena.engine_protocol.faults import EngineFault, EngineTrouble
from cartagena.engine_protocol.player import EngineBot
from cartagena.engine_protocol.process import MOST_UNREAD, EngineProcess
from cartagena.game import Game
from cartagena.rules.ruleset import JAMAICA
from tests.engine_protocol.engines import FURTHEST, broken, first_view, is_there, named, process_of
from tests.waiting import PATIENCE, until

ENOUGH = Budget(seconds=10)
GRACE = 0.3
"""Of those that are late; all others may take their time on a busy machine."""

pytestmark = pytest.mark.native("starts processes")


def choose(bot: EngineBot) -> int:
    """Let a bot choose at the beginning of a game."""
    seen = first_view()
    code = bot.choose(seen, Random(1), ENOUGH)
    assert code in seen.legal
    return code


def talked(way: str, *more: object, grace: float = 5.0) -> EngineFault:
    """What was wrong with an engine that was asked for two choices."""
    talk = Conversation(broken(way, *more), grace=grace)
    with pytest.raises(EngineFault) as caught:
        ask_twice(talk)
    talk.end()
    process = process_of(talk)
    assert process is not None
    assert not is_there(process)
    return caught.value


def ask_twice(talk: Conversation) -> None:
    """Ask an engine that was started for two choices."""
    seen = first_view()
    talk.greet()
    talk.begin(seen, 1)
    for _ in range(2):
        talk.ask(seen, 0.05)
        time.sleep(0.05)


def test_an_engine_chooses_and_ends_with_its_game() -> None:
    bot = EngineBot(FURTHEST)
    before = process_of(bot)
    choose(bot)
    choose(bot)
    process = process_of(bot)
    assert before is None
    assert process is not None
    assert bot.info is not None
    assert bot.info.chances is not None
    assert is_there(process)
    bot.close()
    assert not is_there(process)


def test_the_number_that_an_engine_is_told_does_not_name_the_seed_of_its_contest(tmp_path: Path) -> None:
    note = tmp_path / "seed"
    bots = [contestant(named(broken("seeded", note))), contestant("random")]
    contest = Contest(ruleset=JAMAICA, line_up=line_up(bots, 3), seed="1672")
    for _ in range(2):
        bot = contest.line_up[0].make()
        bot.choose(first_view(), contest.chance(3, 1, 1), ENOUGH)
        close(bot)
        # The same in every release: a contest can be played again.
        assert int(note.read_text(encoding="utf-8")) == 1379082377
    assert contest.chance(3, 1, 1).getrandbits(32) == 1412242609


def test_an_engine_that_is_forgotten_ends_too() -> None:
    bot = EngineBot(broken("clinging"))
    choose(bot)
    process = process_of(bot)
    assert process is not None
    del bot
    gc.collect()
    assert not is_there(process)


@pytest.mark.parametrize(
    ("way", "trouble"),
    [
        ("nameless", EngineTrouble.LACKS),
        ("misnamed", EngineTrouble.WRONG_MEMBER),
        ("deaf", EngineTrouble.TOO_LATE),
        ("crash", EngineTrouble.ENDED),
        ("killed", EngineTrouble.ENDED_BY_SIGNAL),
        ("hang", EngineTrouble.TOO_LATE),
        ("words", EngineTrouble.NO_NUMBER),
        ("long", EngineTrouble.TOO_LONG),
        ("endless", EngineTrouble.TOO_LATE),
        ("twice", EngineTrouble.UNASKED),
    ],
)
def test_an_engine_that_fails_is_ended_and_says_why(way: str, trouble: EngineTrouble) -> None:
    assert talked(way, grace=GRACE if trouble is EngineTrouble.TOO_LATE else 5).trouble is trouble


def test_a_reason_tells_no_card_and_the_detail_is_what_the_engine_wrote() -> None:
    fault = talked("crash")
    assert fault.reason == "It ended with status 1. It must go on until `quit`, and then end with status 0."
    assert fault.detail == "KeyError: 'the hand holds a skull'"
    assert talked("garbage").detail == "'I play the skull'"
    # The last line of Node.js is its version.
    assert talked("node").detail == "TypeError: the hand holds a skull"


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("nameless", "Its `engine` lacks `name`."),
        ("misnamed", "The `name` of its `engine` is of the wrong kind."),
        ("words", "Its `choice` needs a whole number."),
        ("long", "Where `choice` was due, it wrote a line of more than 100,000 bytes."),
        ("endfree", "Where `choice` was due, it wrote a line that does not end."),
    ],
)
def test_a_line_that_is_wrong_in_one_way_is_told_which(way: str, reason: str) -> None:
    assert talked(way, grace=GRACE if way == "endfree" else 5).reason.startswith(reason)


def test_a_choice_between_the_budget_and_the_grace_is_in_time() -> None:
    talk, seen = Conversation(broken("late", 0.1), grace=10), first_view()
    talk.greet()
    assert talk.ask(seen, 0.05) in seen.legal
    talk.quit()


def test_an_engine_may_write_much_to_its_standard_error() -> None:
    bot = EngineBot(broken("loud"))
    for _ in range(3):
        choose(bot)
    bot.close()


def test_an_engine_that_failed_is_not_started_again() -> None:
    bot = EngineBot(broken("crash"))
    with pytest.raises(EngineFault) as first:
        choose(bot)
    process = process_of(bot)
    with pytest.raises(EngineFault) as second:
        choose(bot)
    assert second.value is first.value
    assert process_of(bot) == process
    bot.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups to end")
async def test_what_an_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child"
    assert talked("parent", note, grace=1).trouble is EngineTrouble.TOO_LATE
    child = int(note.read_text(encoding="utf-8"))
    # Its parent is gone, so the system waits for it.
    await until(lambda: not is_alive(child), what="the end of the child")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups to end")
async def test_what_an_engine_has_started_ends_though_the_engine_ended_by_itself(tmp_path: Path) -> None:
    failed, ended = tmp_path / "failed", tmp_path / "ended"
    assert talked("deserter", failed).trouble is EngineTrouble.ENDED
    bot = EngineBot(broken("heir", ended))
    choose(bot)
    bot.close()
    children = [int(note.read_text(encoding="utf-8")) for note in (failed, ended)]
    await until(lambda: not any(map(is_alive, children)), what="the end of the children")


def test_an_engine_does_not_fill_our_memory() -> None:
    flood = "import sys; [sys.stdout.write('x' * 99_999 + '\\n') for _ in range(100)]"
    engine = EngineProcess([sys.executable, "-c", flood])
    assert engine.wait(PATIENCE) == 0
    heard = 0
    with pytest.raises(EngineFault, match="ended with status 0"):  # noqa: PT012 - its end is the last line
        while line := engine.line(PATIENCE):
            heard += len(line)
    engine.end()
    # The end of it may have been on its way while we read.
    assert 100_000 <= heard <= 2 * MOST_UNREAD


WORKER = """
import signal, sys
from cartagena.engine_protocol.process import EngineProcess

signal.signal(signal.SIGINT, signal.SIG_DFL)
engine = EngineProcess(sys.argv[1:])
print(engine.id, flush=True)
engine.line(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows interrupts otherwise")
async def test_an_engine_ends_with_a_process_that_an_interrupt_ends_at_once() -> None:
    command = [sys.executable, "-c", WORKER, *broken("mute")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:  # noqa: ASYNC220, S603 - our own
        assert worker.stdout is not None
        engine = int(worker.stdout.readline())
        worker.send_signal(signal.SIGINT)
        assert worker.wait(PATIENCE) == -signal.SIGINT
    await until(lambda: not is_alive(engine), what="the end of the engine")


def is_alive(process_id: int) -> bool:
    """Whether a process that is not ours runs; one that has ended may still be listed."""
    stat = Path(f"/proc/{process_id}/stat")
    if not Path("/proc/self").exists():
        return is_there(process_id)
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def test_a_game_of_the_library_takes_the_name_of_an_engine(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    game = Game.start("jamaica", seed=1)
    move = game.choice_of(named(broken("noted", notes)))
    assert move in game.moves()
    (process,) = map(int, notes.read_text(encoding="utf-8").split())
    assert not is_there(process)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("engine:", "an engine needs a command"),
        ("engine:./no_such_engine", "no program './no_such_engine'.*chmod"),
        ("engine:python3 'my engine", "cannot be read .No closing quotation."),
        (f"engine:python3 {'x' * 200}", "at most 200 characters"),
    ],
)
def test_a_wrong_command_is_refused_before_a_game_begins(name: str, message: str) -> None:
    with pytest.raises(BotError, match=message):
        make(name)


def test_a_program_that_cannot_be_run_says_what_is_missing(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("print('no first line')\n", encoding="utf-8")
    script.chmod(0o755)
    with pytest.raises(EngineFault, match=r"cannot be started .Exec format error.. Begin a script with"):
        choose(EngineBot([str(script)]))
