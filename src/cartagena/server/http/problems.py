"""Which problems a route may answer: its own, and those that follow from what it asks for."""

from cartagena.rules.refusals import Refusal
from cartagena.server.http.answers import INTERNAL
from cartagena.server.http.route import Route
from cartagena.server.http.template import places_of
from cartagena.server.shared.errors import Problem


def problems_of(route: Route) -> tuple[Problem, ...]:
    """Return every problem that a route may answer, each once."""
    found = dict.fromkeys(route.problems)
    found |= dict.fromkeys(_of_reading(route) + _of_guarding(route))
    found[Problem.TOO_MANY] = None
    if not route.anonymous:
        found[Problem.UNAVAILABLE] = None
    return tuple(found)


def codes_by_status(route: Route) -> dict[int, tuple[str, ...]]:
    """The codes that a route may answer with each status; the rules' refusals have codes of their own."""
    codes: dict[int, dict[str, None]] = {}
    for problem in problems_of(route):
        words = _CODES_OF_THE_RULES if problem is Problem.REFUSED else (problem.code,)
        codes.setdefault(problem.status, {}).update(dict.fromkeys(words))
    codes[500] = {INTERNAL: None}
    return {status: tuple(codes[status]) for status in sorted(codes)}


def _of_reading(route: Route) -> list[Problem]:
    problems = []
    if places_of(route.path):
        problems.append(Problem.NO_SUCH_THING)
    if route.body is not None or route.query is not None:
        problems.append(Problem.UNREADABLE)
    if route.body is not None:
        problems += [Problem.TOO_LARGE, Problem.NOT_JSON]
    return problems


def _of_guarding(route: Route) -> list[Problem]:
    problems = []
    if route.scope is not None:
        problems += [Problem.UNAUTHENTICATED, Problem.MISSING_SCOPE]
    if route.method != "GET" and not route.anonymous:
        problems.append(Problem.WRONG_ORIGIN)
    return problems


_CODES_OF_THE_RULES = tuple(dict.fromkeys(refusal.code for refusal in Refusal))
