"""The ladder of bots: games that were agreed on for it count once, among bots alone."""

from uuid import UUID

import pytest
from msgspec.structs import replace

from cartagena.messages.challenges import ChallengeMessage
from cartagena.server.accounts.challenges import accept
from cartagena.server.accounts.personal_data import delete_me
from cartagena.server.lobby.bot_ladder import bot_ladder
from cartagena.server.lobby.ratings import ENOUGH, RatedGame, Rating, changes_of
from cartagena.server.lobby.repair import rate_anew
from cartagena.server.store.databases import Databases
from cartagena.tables import seating
from tests.server.accounts_world import problem_of
from tests.server.challenge_world import LIVE, ChallengeWorld
from tests.server.tables_world import LIVE as CLOCK
from tests.server.tables_world import Player, terms

MINE = "SELECT bot_id, seats, mu, sigma, games, wins FROM directory.bot_ratings ORDER BY bot_id"


@pytest.fixture
def here(databases: Databases) -> ChallengeWorld:
    return ChallengeWorld(databases)


async def table_of(here: ChallengeWorld, challenge: ChallengeMessage) -> UUID:
    """The table of a challenge, accepted."""
    me = challenge.opponent.id
    await accept(here.directory, me, challenge.id, game_id=here.new().id, nonce_hash=None)
    await here.tables.open(challenge.id, me)
    seen = await here.seen(challenge)
    assert seen.table is not None
    return seen.table


async def played(here: ChallengeWorld, one: UUID, other: UUID, winner: int, *, ladder: bool = True) -> None:
    """A game between two bots with this winner, of which the directory has heard."""
    table = await table_of(here, await here.challenged(one, other, ladder=ladder))
    await here.lobby.ends(table, winner)
    await here.lobby.told()


async def rows(here: ChallengeWorld) -> list[tuple[object, ...]]:
    """All ratings of bots."""
    return [tuple(row) for row in await here.directory.pool.fetch(MINE)]


async def test_a_game_for_the_ladder_counts_once_and_among_bots_alone(here: ChallengeWorld) -> None:
    one, other = await here.bot(), await here.bot()
    await played(here, one, other, winner=1)
    game = RatedGame(game_id=one, ruleset="jamaica", players=(one, other), winner=1, lost=(False, False))
    changes = {change.player_id: change for change in changes_of(game, [Rating(), Rating()])}
    expected = sorted(
        (bot, 2, change.after.mu, change.after.sigma, 1, int(change.won)) for bot, change in changes.items()
    )
    assert await rows(here) == expected
    await here.lobby.lease_ends()
    await here.lobby.told()
    assert await rows(here) == expected
    for table in ("ratings", "rating_changes"):
        assert not await here.lobby.rows(table)
    assert await rate_anew(here.directory.pool, lambda _: None) == 0
    assert await rows(here) == expected


async def test_what_was_not_agreed_on_does_not_count(here: ChallengeWorld) -> None:
    one, other, third = await here.bot(), await here.bot(), await here.bot()
    await played(here, one, other, winner=0, ladder=False)
    table = await table_of(here, await here.challenged(one, other, ladder=True))

    easier = terms("tortuga", 2, CLOCK)
    host = Player(one, "one", guest=False)
    await here.lobby.change(table, lambda table: seating.change_terms(table, easier), host)
    await here.lobby.ends(table, 0)
    table = await table_of(here, await here.challenged(one, other, ladder=True))
    await here.lobby.change(table, lambda table: seating.leave(table, 1), Player(other, "other", guest=False))
    await here.lobby.sits(table, Player(third, "third", guest=False))
    await here.lobby.ends(table, 0)
    table = await table_of(here, await here.challenged(one, other, ladder=True))
    await here.lobby.ends(table, None, ending="abandoned")
    await here.lobby.told()
    assert await here.directory.pool.fetchval("SELECT count(*) FROM directory.results") == 4
    assert not await rows(here)


async def test_the_ladder_is_for_bots_of_two_owners_with_a_clock(here: ChallengeWorld) -> None:
    owner = await here.player()
    one, twin, other = await here.bot(owner), await here.bot(owner), await here.bot()
    for pair in ((one, twin), (one, owner), (owner, one), (await here.player(), owner)):
        assert await problem_of(here.challenged(*pair, ladder=True)) == "unfit"
    assert await problem_of(here.challenged(one, other, replace(LIVE, clock=None), ladder=True)) == "unfit"
    assert (await here.challenged(one, other, ladder=True)).ladder


async def test_the_best_bots_are_listed_once_they_have_played_enough(here: ChallengeWorld) -> None:
    one, other = await here.bot(), await here.bot()
    for number in range(ENOUGH):
        await played(here, one, other, winner=int(number == 4))
        rungs = (await bot_ladder(here.directory.pool, "jamaica", 2, 1)).rungs
        assert bool(rungs) == (number + 1 == ENOUGH)
    rungs = (await bot_ladder(here.directory.pool, "jamaica", 2, 1)).rungs
    assert [(rung.rank, rung.player, rung.games, rung.wins) for rung in rungs] == [
        (1, one, ENOUGH, ENOUGH - 1),
        (2, other, ENOUGH, 1),
    ]
    assert rungs[0].rating > rungs[1].rating
    assert not (await bot_ladder(here.directory.pool, "jamaica", 3, 1)).rungs
    assert not (await bot_ladder(here.directory.pool, "nest", 2, 1)).rungs
    before = await rows(here)
    await rate_anew(here.directory.pool, lambda _: None)
    assert await rows(here) == before
    await delete_me(here.accounts.sessions, other)
    assert [rung.player for rung in (await bot_ladder(here.directory.pool, "jamaica", 2, 1)).rungs] == [one]
