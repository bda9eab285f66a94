"""Looking into a game: the routes of a device for records and positions that belong to no table."""

import hashlib
from dataclasses import dataclass
from typing import Final

from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import JSON, Answer
from cartagena.endpoints.routing import Route
from cartagena.fairness import SIZE
from cartagena.local.drafts import checked_draft, draft_of
from cartagena.local.study import Study, dealt_study, opened, study_of
from cartagena.messages.replays import HintFound
from cartagena.messages.studies import (
    ArrangedMessage,
    AskStudyHint,
    DealStudy,
    DraftMessage,
    OpenedStudy,
    OpenStudy,
    StudyLine,
    StudyLineMessage,
    StudyMessage,
    StudyText,
)
from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.notation.tokens import ReplayError
from cartagena.rules.refusals import PositionError
from cartagena.tables.creating import Chance
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Aside
from cartagena.tables.thinking import find_hint

TAG: Final = "studies"
_SEED_BYTES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyApi:
    """The handlers; they keep nothing."""

    aside: Aside
    chance: Chance

    async def open(self, call: Call) -> OpenedStudy:
        """Read a record or a position."""
        text = call.body(OpenStudy).text
        return await self.aside(lambda: opened(text))

    async def line(self, call: Call) -> StudyLineMessage:
        """What happens with other actions."""
        asked = call.body(StudyLine)
        return await self.aside(lambda: _study(asked).line(asked.step, asked.codes))

    async def text(self, call: Call) -> StudyText:
        """A line as text."""
        asked = call.body(StudyLine)
        return await self.aside(lambda: _study(asked).written(asked.step, asked.codes))

    async def deal(self, call: Call) -> StudyMessage:
        """Deal a new game."""
        body = call.body(DealStudy)
        return await self.aside(lambda: dealt_study(body.ruleset, body.seats, self.chance(SIZE)))

    async def draft(self, call: Call) -> DraftMessage:
        """The position at the end of a line, to be changed by hand."""
        asked = call.body(StudyLine)
        try:
            return await self.aside(lambda: draft_of(_study(asked).position(asked.step, asked.codes)))
        except PositionError as error:
            raise ServiceError(Problem.UNFIT, str(error)) from error

    async def arrange(self, call: Call) -> ArrangedMessage:
        """Say what is wrong with a draft, or write it down."""
        return checked_draft(call.body(DraftMessage))

    async def hint(self, call: Call) -> Answer:
        """What the seat to act might do, and every seat's chance to win with it."""
        asked = call.body(AskStudyHint)
        seen = await self.aside(lambda: encode(view_message(_study(asked).seen(asked.step, asked.codes))))
        # From the view: the same again for the same question, and nothing that the seat does not know.
        seed = int.from_bytes(hashlib.sha256(seen).digest()[:_SEED_BYTES])
        result = await self.aside(lambda: find_hint(seen, seed, asked.simulations))
        if result.found is None:
            raise ServiceError(Problem.UNFIT, f"no hint was found: {result.trouble}")
        return Answer(content=result.found, media_type=JSON)


def _study(asked: OpenStudy) -> Study:
    try:
        return study_of(asked.text)
    except ReplayError as error:
        raise ServiceError(Problem.UNFIT, str(error)[:200]) from error


def study_routes(api: StudyApi) -> tuple[Route, ...]:
    """The routes to look into records and positions."""
    return (*_reading_routes(api), *_drafting_routes(api))


def _drafting_routes(api: StudyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/studies/deal",
            name="deal_study",
            tag=TAG,
            summary="Deal a new game to look into",
            handler=api.deal,
            body=DealStudy,
            answer=StudyMessage,
        ),
        Route(
            method="POST",
            path="/api/studies/draft",
            name="draft",
            tag=TAG,
            summary="Take the end of a line to be changed by hand",
            handler=api.draft,
            body=StudyLine,
            answer=DraftMessage,
        ),
        Route(
            method="POST",
            path="/api/studies/arrange",
            name="arrange",
            tag=TAG,
            summary="See what is wrong with a position that was laid out by hand",
            handler=api.arrange,
            body=DraftMessage,
            answer=ArrangedMessage,
        ),
    )


def _reading_routes(api: StudyApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/studies",
            name="open_study",
            tag=TAG,
            summary="Read a record or a position",
            handler=api.open,
            body=OpenStudy,
            answer=OpenedStudy,
        ),
        Route(
            method="POST",
            path="/api/studies/line",
            name="study_line",
            tag=TAG,
            summary="Look at other actions",
            handler=api.line,
            body=StudyLine,
            answer=StudyLineMessage,
        ),
        Route(
            method="POST",
            path="/api/studies/text",
            name="study_text",
            tag=TAG,
            summary="Write a line as a record and as a position",
            handler=api.text,
            body=StudyLine,
            answer=StudyText,
        ),
        Route(
            method="POST",
            path="/api/studies/hint",
            name="study_hint",
            tag=TAG,
            summary="Ask what might be done at the end of a line",
            handler=api.hint,
            body=AskStudyHint,
            answer=HintFound,
        ),
    )
