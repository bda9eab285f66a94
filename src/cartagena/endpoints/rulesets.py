"""What a table can be set to."""

from collections.abc import Callable
from functools import cache

from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Route
from cartagena.messages.lobby import RulesetsMessage


def rulesets_route(offered: Callable[[], RulesetsMessage]) -> Route:
    """The route that tells what is offered; that is worked out for the first who asks, and then stays."""
    once = cache(offered)

    async def rulesets(_: Call) -> RulesetsMessage:
        return once()

    return Route(
        method="GET",
        path="/api/rulesets",
        name="rulesets",
        tag="lobby",
        summary="See what a table can be set to",
        handler=rulesets,
        answer=RulesetsMessage,
        anonymous=True,
    )
