"""Writes answers: the struct as JSON, the headers, the cookies."""

from typing import Final

import msgspec
from msgspec import Struct
from starlette.types import Message, Send

from cartagena.server.http.cross_origin import Origins
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.request_context import RequestContext
from cartagena.server.http.responses import Answer, RawLines, encoded, overlaid, usual_lines, wire_text
from cartagena.server.http.uvicorn_server import whole_of

_NO_CONTENT: Final = frozenset({204, 304})
_START: Final = "http.response.start"


class Writer:
    """Sends answers, with the headers that all of them carry."""

    def __init__(self, settings: HttpSettings, origins: Origins) -> None:
        self._usual = usual_lines(settings)
        self._usual_text = wire_text(self._usual)
        self._secure = settings.https
        self._origins = origins
        self._encode = msgspec.json.Encoder().encode

    async def write(self, visit: RequestContext, answer: Answer, send: Send) -> None:
        """Send a whole answer."""
        body = self._body(answer)
        visit.admitted = answer.admitted
        status = answer.status or (200 if visit.door is None else visit.door.route.success)
        whole = whole_of(visit.scope)
        if whole is not None and not answer.headers and visit.method != "HEAD":
            # Without headers of its own, the answer overrides none of the usual lines: no merge is needed.
            visit.status, visit.started = status, True
            own = wire_text(self._own_lines(visit, answer, status, body))
            await whole(status, self._usual_text + own, body)
            return
        lines = overlaid(
            [*self._usual, *self._own_lines(visit, answer, status, body)], encoded(answer.headers)
        )
        visit.status, visit.started = status, True
        await send({"type": _START, "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": body})

    def _own_lines(self, visit: RequestContext, answer: Answer, status: int, body: bytes) -> RawLines:
        """The headers of this answer alone."""
        lines = self._visit_lines(visit)
        if status not in _NO_CONTENT:
            lines.append((b"content-length", b"%d" % len(body)))
            lines.append((b"content-type", self._media_type(visit, answer)))
        lines += [
            (b"set-cookie", cookie.line(secure=self._secure).encode("ascii")) for cookie in answer.cookies
        ]
        return lines

    def dressed(self, visit: RequestContext, send: Send) -> Send:
        """Return a `send` for a route that speaks ASGI directly: it adds the usual headers."""
        usual = [*self._usual, *self._visit_lines(visit)]

        async def dressed_send(message: Message) -> None:
            if message["type"] == _START:
                visit.status, visit.started = message["status"], True
                message = {**message, "headers": overlaid(usual, list(message.get("headers", ())))}
            await send(message)

        return dressed_send

    def _visit_lines(self, visit: RequestContext) -> RawLines:
        request_id = (b"x-request-id", visit.request_id.encode("ascii"))
        return [request_id, *self._origins.cors_lines(visit.headers)]

    def _body(self, answer: Answer) -> bytes:
        content = answer.content
        if isinstance(content, Struct):
            return self._encode(content)
        return content or b""

    @staticmethod
    def _media_type(visit: RequestContext, answer: Answer) -> bytes:
        if answer.media_type is not None:
            return answer.media_type.encode("ascii")
        return b"application/json" if visit.door is None else visit.door.content_type
