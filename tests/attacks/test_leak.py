"""A seat that is not to act tries to read the hidden hand of the seat to act from how typing is refused."""

import pytest

from tests.attacks.tables import duel
from tests.server.service_nodes import Node

TYPED = ["play", "p", "retreat", "trim", "nonsense", "play skull", "play hat 1"]


@pytest.mark.parametrize("action", TYPED)
async def test_out_of_turn_a_typed_action_is_refused_before_it_is_read(
    nodes: tuple[Node, Node], action: str
) -> None:
    async with duel(nodes) as table:
        seq = (await table.seen_by(table.spy))["seq"]
        by_code = await table.spy.post(f"{table.path}/actions", status=403, seq=seq, code=0)
        assert by_code["error"]["code"] == "not_your_turn"
        assert await table.spy.post(f"{table.path}/actions", status=403, seq=seq, action=action) == by_code
