"""Bots under load: who waits is counted, thinks shorter and says so; a calm worker plays as ever."""

from dataclasses import replace
from uuid import UUID

from msgspec import structs

from cartagena.rules.legality import legal
from cartagena.server.store.databases import Databases
from cartagena.server.worker.thinking_time import SERVED_WITHIN
from cartagena.tables import playing
from cartagena.tables.frames import frames, news_message
from cartagena.tables.table import EventKind
from tests.server.worker_bots import BUDGETS, HERE
from tests.server.worker_world import QUICK, Gate, Node, bot, until_happened
from tests.waiting import until

SLOW, TIMED = bot(f"{HERE}:Gated"), bot(f"{HERE}:Timed")
MANY = replace(QUICK, at_once=256)
USUAL = 2.0


async def hurried(node: Node, table_id: UUID) -> list[bool]:
    """Whether each action of a table was told to be hurried."""
    acted = [past for past in await node.store.past(table_id, -1) if past.kind is EventKind.ACTED]
    news = [news_message(past.kind, past.news) for past in acted]
    for past, one in zip(acted, news, strict=True):
        assert one is None or (one.kind, one.seat) == ("hurried", past.seat)
    return [one is not None for one in news]


async def test_bots_that_others_wait_for_have_less_time_and_say_so(databases: Databases, gate: Gate) -> None:
    BUDGETS.clear()
    node = Node(databases, pace=MANY, seconds=USUAL)
    await node.start(await node.open([SLOW, SLOW], household="slow"))
    async with node.running():
        await gate.asked()
        crowd = [
            await node.start(await node.open([TIMED, TIMED], household=str(number))) for number in range(4)
        ]
        await until(lambda: node.counted("cartagena_thinking_waiting", work="choice") == 4, what="a queue")
        gate.let(100_000)
        for table in crowd:
            await until_happened(node, table.id, EventKind.ACTED)
        told = [await hurried(node, table.id) for table in crowd]
    # When the first of them thought, three of the others waited.
    assert BUDGETS[0] == SERVED_WITHIN / 3
    assert all(seconds is not None and seconds <= USUAL for seconds in BUDGETS)
    assert sum(first for first, *_ in told) >= 3
    assert node.counted("cartagena_bots_hurried_total", level=f"{HERE}:Timed") >= 3
    assert node.counted("cartagena_thinking_waited_seconds_count", work="choice") >= 5


async def test_alone_a_bot_has_all_its_time_and_nothing_is_told(databases: Databases) -> None:
    BUDGETS.clear()
    node = Node(databases, seconds=USUAL)
    table = await node.begun([TIMED, TIMED])
    async with node.running():
        await until_happened(node, table.id, EventKind.ACTED, 12)
    assert set(BUDGETS) == {USUAL}
    assert not any(await hurried(node, table.id))
    assert node.counted("cartagena_bots_hurried_total", level=f"{HERE}:Timed") == 0


async def test_a_bot_is_not_asked_again_for_what_it_has_planned(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    async with node.running():
        await node.until_over(table.id)
    acted = (await node.kinds(table.id)).count(EventKind.ACTED)
    # Of the four choices of a turn the last is forced; the others follow from one thought, or from two.
    assert 0 < node.counted("cartagena_bot_seconds_count", level="sailor") < acted / 2


async def test_a_plan_counts_only_once_its_first_choice_is_made(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    assert table.to_act is not None
    first = await node.players.choose(table)
    assert first.ahead
    # Something else became the next event, such as that another player resigned: the bot thinks anew.
    await node.players.choose(structs.replace(table, seq=table.seq + 1))
    assert node.counted("cartagena_bot_seconds_count", level="sailor") == 2
    acted = playing.act(table, table.to_act, first.code).after
    node.players.keep(acted, first.ahead)
    # After a failover another event may have the same number.
    await node.players.choose(structs.replace(acted, timeline="another"))
    assert node.counted("cartagena_bot_seconds_count", level="sailor") == 3
    node.players.keep(acted, first.ahead)
    assert (await node.players.choose(acted)).code == first.ahead[0]
    assert node.counted("cartagena_bot_seconds_count", level="sailor") == 3


async def test_a_hurried_action_differs_from_another_in_its_news_alone(databases: Databases) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("sailor")])
    seat = table.to_act
    assert seat is not None
    assert table.position is not None
    code = legal(table.position)[0]
    calm, quick = playing.act(table, seat, code), playing.act(table, seat, code, hurried=True)
    assert (calm.code, calm.orders, calm.told, calm.guard) == (
        quick.code,
        quick.orders,
        quick.told,
        quick.guard,
    )
    told, told_hurried = frames(calm, calm.after), frames(quick, quick.after)
    news = b'"news":{"kind":"hurried","seat":%d},' % seat
    assert told_hurried.keys() == told.keys()
    assert {audience: frame.replace(news, b"", 1) for audience, frame in told_hurried.items()} == told
    assert all(news in frame for frame in told_hurried.values())
