"""Waiting: for what comes, and what is said when it does not come."""

import asyncio

import pytest

from tests.waiting import until, until_sync


async def test_what_comes_is_returned() -> None:
    answers = iter([None, "", "here"])
    assert await until(lambda: next(answers), pause=0) == "here"


async def test_a_condition_may_be_a_coroutine_function() -> None:
    answers = iter([0, 7])

    async def number() -> int:
        await asyncio.sleep(0)
        return next(answers)

    assert await until(number, pause=0) == 7


async def test_what_does_not_come_is_named_with_the_last_value_seen() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"in vain for three; last seen: \[\]"):
        await until(list, seconds=0.02, what="three")


async def test_a_question_without_an_answer_is_no_way_to_wait_for_ever() -> None:
    with pytest.raises(pytest.fail.Exception, match="in vain for an answer; last seen: 'nothing'"):
        await until(asyncio.Event().wait, seconds=0.02, what="an answer")


async def test_the_condition_may_fail_by_itself() -> None:
    def late() -> bool:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        await until(late)


def test_without_an_event_loop_it_is_no_different() -> None:
    answers = iter([None, "here"])
    assert until_sync(lambda: next(answers)) == "here"
    with pytest.raises(pytest.fail.Exception, match="in vain for the end of what is now; last seen: 0"):
        until_sync(int, seconds=0.02, what=lambda: "the end of what is now")
