"""Announces on the bus what happens at tables."""

from collections.abc import Mapping
from uuid import UUID

from cartagena.server.bus.interface import Bus
from cartagena.server.bus.messages import Announcement, Closing, Wake
from cartagena.server.tracing.spans import Traces
from cartagena.tables.ids import bucket_of
from cartagena.tables.ports import ChatPlace
from cartagena.tables.table import Table


class BusAnnouncer:
    """Implements the port `tables.ports.Announcer`."""

    def __init__(self, bus: Bus, traces: Traces | None = None) -> None:
        self._bus = bus
        self._traces = traces

    def update(self, table: Table, frames: Mapping[int, bytes]) -> None:
        """Tell each audience what a change did."""
        step = None if self._traces is None else self._traces.step("announce", table.id, seq=table.seq)
        self._bus.publish(
            Announcement(
                game_id=table.id,
                seq=table.seq,
                chat=table.chat,
                kind="update",
                frames=dict(frames),
                trace=None if step is None else step.trace,
            )
        )
        if step is not None:
            step.end()

    def chat(self, table_id: UUID, said: ChatPlace, frames: Mapping[int, bytes]) -> None:
        """Tell everybody a line of chat."""
        self._bus.publish(
            Announcement(game_id=table_id, seq=said.seq, chat=said.number, kind="chat", frames=dict(frames))
        )

    def close(
        self, table_id: UUID, code: str, *, player: UUID | None = None, audience: int | None = None
    ) -> None:
        """End the streams of a player at a table, or of an audience."""
        self._bus.publish(Closing(game_id=table_id, player_id=player, audience=audience, code=code))

    def wake(self, table_id: UUID) -> None:
        """Hint to the workers that a bot is due."""
        bucket = bucket_of(table_id)
        step = None if self._traces is None else self._traces.step("wake.tell", table_id)
        if step is None:
            self._bus.publish(Wake(bucket=bucket))
        else:
            self._bus.publish(Wake(bucket=bucket, game_id=table_id, trace=step.trace))
            step.end()
