"""The record of requests: what is logged and counted about each, and never a secret."""

from cartagena.server.http.answers import INTERNAL, Refused
from cartagena.server.http.instruments import Instruments
from cartagena.server.http.metrics import HttpMetrics
from cartagena.server.http.visit import Visit


class RequestRecord:
    """Logs one line per request, and counts it."""

    def __init__(self, tools: Instruments) -> None:
        self._tools = tools
        self._metrics = HttpMetrics(tools.registry)

    def begin(self) -> None:
        """Count a request that begins."""
        self._metrics.under_way += 1

    def end(self, visit: Visit) -> None:
        """Record a request that was answered, or whose client has left."""
        self._metrics.under_way -= 1
        seconds = self._tools.clock() - visit.began
        door = visit.door
        self._metrics.count(visit.method, visit.template, visit.status)
        if door is None or not door.is_stream:
            self._metrics.time(visit.template, seconds)
        self._tell(visit, round(seconds * 1000, 2))

    def refused(self, visit: Visit, refused: Refused, error: Exception) -> None:
        """Log the unexpected: an error of ours, or a problem that the route does not document."""
        code = refused.problem.code
        if code == INTERNAL:
            self._tools.log.error("failed", request_id=visit.request_id, route=visit.template, exc_info=error)
        elif visit.door is not None and code not in visit.door.codes.get(refused.status, ()):
            self._tools.log.warning("undocumented", route=visit.template, status=refused.status, code=code)

    def _tell(self, visit: Visit, milliseconds: float) -> None:
        if visit.code is None and visit.door is not None and visit.door.route.quiet:
            return
        # The player whom this request signed in; `player` is the one it came from, if any.
        came_in = {} if visit.admitted is None else {"admitted": visit.admitted}
        self._tools.log.info(
            "request",
            request_id=visit.request_id,
            method=visit.method,
            route=visit.template,
            status=visit.status,
            code=visit.code,
            ms=milliseconds,
            player=None if visit.session is None else visit.session.player_id,
            **came_in,
        )
