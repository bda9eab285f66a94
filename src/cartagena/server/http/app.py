"""The app: every request goes through the same steps, from its path to its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from msgspec import Struct

from cartagena.endpoints.asgi import ASGIApp, Lifespan, Receive, Scope, Send, live
from cartagena.endpoints.path_templates import PathValue
from cartagena.endpoints.request import Call, decode_body
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Endpoint, Route, RouteNode, Routing
from cartagena.server.http.api.ops import ReadyCheck, ops_routes
from cartagena.server.http.authorization import Authorizer, Origins, SessionLookup
from cartagena.server.http.body import Gone, check_is_json, read_body
from cartagena.server.http.client_address import Addresses
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments, RequestContext, RequestRecord
from cartagena.server.http.rate_limits import Limits
from cartagena.server.http.response_headers import refusal_of
from cartagena.server.http.uvicorn_server import Writer, abort_of
from cartagena.server.tracing.spans import Traces, within
from cartagena.tables.errors import Problem, ServiceError

_TRACEPARENT: Final = b"traceparent"


def build_app(  # noqa: PLR0913 (what a service is made of, each part by its name)
    routes: Sequence[Route],
    *,
    sessions: SessionLookup,
    settings: HttpSettings,
    ready_checks: Mapping[str, ReadyCheck],
    lifespan: Lifespan | None = None,
    instruments: Instruments | None = None,
    elsewhere: Route | None = None,
) -> ASGIApp:
    """The service as an ASGI app: the routes handed in, and those that every service has.

    `elsewhere` handles every path outside the API that no other route has; it is given the path itself.
    """
    tools = instruments or Instruments()
    everything = (*routes, *ops_routes(routes, settings, ready_checks, tools.registry))
    return App(
        Routing(map(Endpoint, everything), elsewhere=None if elsewhere is None else Endpoint(elsewhere)),
        sessions=sessions,
        settings=settings,
        lifespan=lifespan,
        tools=tools,
    )


class Prepared(Struct, frozen=True):
    """A request that has passed the guard and the limits and has been read."""

    route: Route
    call: Call

    async def answer(self) -> Answer:
        """Return the handler's answer."""
        assert self.route.handler is not None
        result = await self.route.handler(self.call)
        return result if isinstance(result, Answer) else Answer(content=result)


class App:
    """Finds the endpoint, checks limits and guard, reads the request, calls the handler, sends the answer."""

    def __init__(
        self,
        routing: Routing,
        *,
        sessions: SessionLookup,
        settings: HttpSettings,
        lifespan: Lifespan | None,
        tools: Instruments,
    ) -> None:
        origins = Origins(settings)
        self._tools = tools
        self._routing = routing
        self._addresses = Addresses(settings.trusted_proxies)
        self._limits = Limits(clock=tools.clock, pace=settings.pace, spared=settings.spared)
        self._guard = Authorizer(sessions, origins, secure=settings.https)
        self._origins = origins
        self._writer = Writer(settings, origins)
        self._record = RequestRecord(tools)
        self._lifespan = lifespan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the startup and shutdown of the process."""
        if scope["type"] == "http":
            began, request_id = self._tools.clock(), self._tools.new_request_id()
            context = RequestContext(scope, self._addresses, began=began, request_id=request_id)
            self._record.begin()
            try:
                if self._tools.traces is None:
                    await self._serve(context, receive, send)
                else:
                    await self._follow(self._tools.traces, context, receive, send)
            finally:
                self._record.end(context)
        elif scope["type"] == "lifespan":
            await live(self, self._lifespan, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _follow(self, traces: Traces, context: RequestContext, receive: Receive, send: Send) -> None:
        """Serve a request, and trace it if it is one of the few that are traced."""
        # Any client can send the header; only the operator's proxies decide what is traced.
        told = context.headers.get(_TRACEPARENT) if self._addresses.trusts(context.peer) else None
        step = traces.request(told, context.request_id)
        if step is None:
            await self._serve(context, receive, send)
            return
        with within(step):
            await self._serve(context, receive, send)
        # A stream lasts for hours, which says nothing; a step that does not end is not sent.
        if context.endpoint is None or not context.endpoint.is_stream:
            step.answered(context.method, context.template, context.status)

    async def _serve(self, context: RequestContext, receive: Receive, send: Send) -> None:
        try:
            prepared = await self._prepared(context, receive)
            if isinstance(prepared, Answer):
                await self._writer.write(context, prepared, send)
            elif (raw := prepared.route.raw) is not None:
                await raw(prepared.call, receive, self._writer.dressed(context, send))
            else:
                await self._writer.write(context, await prepared.answer(), send)
        except Gone:
            return
        except Exception as error:  # noqa: BLE001 (one table answers them all, and a stranger is logged)
            refused = refusal_of(error)
            context.code = refused.problem.code
            self._record.refused(context, refused, error)
            if not context.started:
                await self._writer.write(context, refused.answer(), send)

    async def _prepared(self, context: RequestContext, receive: Receive) -> Prepared | Answer:
        """Return what the endpoint's handler needs, or an answer if no handler has to be called."""
        found = self._routing.find(context.path)
        if found is None:
            raise ServiceError(Problem.NO_SUCH_THING, "there is nothing at this path")
        node, values = found
        endpoint = node.endpoints.get("GET" if context.method == "HEAD" else context.method)
        if endpoint is None:
            return self._without_endpoint(context, node)
        context.endpoint = endpoint
        await self._admit(context, endpoint)
        call = await self._call(context, endpoint, values, receive)
        # HEAD must not start a stream: its body would never be read.
        begins_not = context.method == "HEAD" and endpoint.route.raw is not None
        return Answer(media_type=endpoint.media_type) if begins_not else Prepared(endpoint.route, call)

    def _without_endpoint(self, context: RequestContext, node: RouteNode) -> Answer:
        if context.method == "OPTIONS":
            lines = self._origins.preflight_lines(context.headers, node.allow)
            return Answer(status=204, headers=(("Allow", node.allow), *lines))
        refused = refusal_of(ServiceError(Problem.WRONG_METHOD, f"this path knows {node.allow}"))
        context.code = refused.problem.code
        return replace(refused, headers=(("Allow", node.allow),)).answer()

    async def _admit(self, context: RequestContext, endpoint: Endpoint) -> None:
        route = endpoint.route
        self._limits.count_address(route.limit, context.address)
        if not route.anonymous:
            session = await self._guard.admit(context.headers, route.scope, is_safe=endpoint.is_safe)
            if session is not None:
                context.session = session
                self._limits.count_player(route.limit, session.player_id)

    async def _call(
        self, context: RequestContext, endpoint: Endpoint, values: Sequence[PathValue], receive: Receive
    ) -> Call:
        content = None
        if endpoint.decoder is not None:
            check_is_json(context.headers)
            body = await read_body(receive, context.headers, endpoint.route.body_limit)
            content = decode_body(endpoint.decoder, body)
        return Call(
            request_id=context.request_id,
            address=context.address,
            peer=context.peer,
            session=context.session,
            places=endpoint.places(values),
            content=content,
            asked=None if endpoint.query_reader is None else endpoint.query_reader.read(context.query),
            headers=context.headers,
            search=context.query,
            abort=None if endpoint.route.raw is None else abort_of(context.scope),
        )
