"""Every address below `/partwise/` that is about runs or data, and the function that answers it.

The functions import what they need when they are called: NumPy and Pillow must not delay the first page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute

from ui.live.sockets import live, race
from ui.robustness import MOST_METHODS
from ui.robustness.socket import robustness
from ui.web.asked import Asked, RefusedError
from ui.web.questions import RunQuery, refused

if TYPE_CHECKING:
    from experiments.fitted.recognisers import How
    from experiments.inspection.parts import Order
    from experiments.measures.recognition import Metric
    from experiments.requests.corruption import Kind, Patch

_A_DAY, _AN_HOUR = 86_400, 3600
_MOST_SHOWN = 2


def run_routes(prefix: str = "") -> list[BaseRoute]:
    """Return all routes; `prefix` is the path that the whole app is served under."""
    return [
        WebSocketRoute(f"{prefix}/partwise/live/{{run}}", live),
        WebSocketRoute(f"{prefix}/partwise/race/{{runs}}", race),
        WebSocketRoute(f"{prefix}/partwise/robustness/{{runs}}", robustness),
        *(question.route(prefix) for question in QUESTIONS),
    ]


async def nothing_here(request: Request) -> Response:
    """Say so: Streamlit would answer with its page, and a script of ours would not understand that."""
    return refused(RefusedError("There is nothing at this address.", 404))


def _snapshot(asked: Asked) -> bytes:
    """Answer with the pictures of a stored snapshot; they never change."""
    from ui.live.frames import snapshot_frame

    view, sample = asked.word("view") or None, asked.number("sample")
    return snapshot_frame(asked.run, asked.number("iteration"), asked.theme, view, sample)


def _cast(asked: Asked) -> dict[str, Any]:
    """Answer with who the points of a run are."""
    from ui.live.cloud import cast as cast_of

    return cast_of(asked.run)


def _parts(asked: Asked) -> bytes:
    from ui.bases.answers import sheet

    order = cast("Order", asked.word("order", "weight"))
    return sheet(asked.run, asked.word("view") or None, order, asked.theme)


def _rebuilt(asked: Asked) -> bytes:
    from ui.bases.answers import rebuilt

    view, off = asked.word("view") or None, asked.numbers("off")
    return rebuilt(asked.run, view, asked.number("sample"), off, asked.theme)


def _users(asked: Asked) -> bytes:
    from ui.bases.answers import users

    return users(asked.run, asked.word("view") or None, asked.number("part"), asked.theme)


def _topics(asked: Asked) -> dict[str, Any]:
    from ui.documents.answers import overview

    return overview(asked.run, asked.word("beside"))


def _documents(asked: Asked) -> dict[str, Any]:
    """Answer with a page of the documents of a topic, a class, or both."""
    from ui.documents.answers import documents

    topic, group = asked.optional_number("topic"), asked.optional_number("class")
    return documents(asked.run, topic, group, asked.word("taken") == "1", asked.number("start"))


def _document(asked: Asked) -> dict[str, Any]:
    from ui.documents.answers import document

    topic, beside = asked.optional_number("topic"), asked.word("beside")
    return document(asked.run, asked.number("row"), topic, beside)


def _search(asked: Asked) -> dict[str, Any]:
    from ui.documents.answers import search

    return search(asked.run, asked.word("q"))


def _accuracy(asked: Asked) -> dict[str, Any]:
    """Answer with the accuracy curves so far."""
    from ui.robustness.surveys import accuracy

    kind, metric, how = _setting(asked)
    return accuracy(asked.runs, kind, metric, how, _looker(asked))


def _places(asked: Asked) -> dict[str, Any]:
    """Answer with the accuracy maps so far."""
    from ui.robustness.surveys import places

    kind, metric, how = _setting(asked)
    return places(asked.runs, cast("Patch", kind), asked.number("size"), metric, how, _looker(asked))


def _looker(asked: Asked) -> str:
    # Who refuses cookies counts as a visitor for each set of runs looked at.
    return asked.visitor or ",".join(run.id for run in asked.runs)


def _setting(asked: Asked) -> tuple[Kind, Metric, How]:
    """Return how a face is spoiled and recognised; a ValueError if there is no such thing."""
    from ui.robustness.answers import check_setting

    kind, metric, how = asked.word("kind"), asked.word("metric"), asked.word("how")
    check_setting(kind, metric, how)
    return cast("Kind", kind), cast("Metric", metric), cast("How", how)


def _patch(asked: Asked) -> bytes:
    from ui.robustness.answers import patch_picture

    return patch_picture(cast("Patch", asked.word("kind")), asked.number("height"), asked.number("width"))


def _course(asked: Asked) -> dict[str, Any]:
    """Answer with weights and errors of every view; `words` (up to twice) asks for the topics of a view."""
    from ui.views.answers import course

    return course(asked.run, tuple(asked.words("words")[:_MOST_SHOWN]))


def _contest(asked: Asked) -> dict[str, Any]:
    """Answer with how far a contest is; asking moves it on."""
    from ui.views.answers import contest

    key = asked.word("key")
    answer = contest(key, asked.visitor or key)
    if answer is None:
        raise RefusedError("This comparison is no longer kept: reload the page to make it again.", 404)
    return answer


def _samples(asked: Asked) -> bytes:
    """Answer with a picture of some samples; the query holds the options the data set is loaded with."""
    from ui.live.frames import samples_picture
    from ui.uploads import belongs_to

    dataset = asked.word("dataset")
    if not belongs_to(dataset, asked.visitor):
        raise RefusedError("There is no such data set here.", 404)
    options = {name: asked.word(name) for name in asked.query if name != "theme"}
    return samples_picture(dataset, options, asked.theme)


QUESTIONS = (
    RunQuery("kept/{run}/{iteration}", _snapshot, keep=_A_DAY),
    RunQuery("cast/{run}", _cast, keep=_A_DAY),
    RunQuery("basis/{run}/parts", _parts),
    RunQuery("basis/{run}/rebuilt", _rebuilt),
    RunQuery("basis/{run}/users", _users),
    RunQuery("topics/{run}", _topics, waits=True),
    RunQuery("topics/{run}/documents", _documents),
    RunQuery("topics/{run}/document/{row}", _document),
    RunQuery("topics/{run}/search", _search),
    RunQuery("accuracy/{runs}", _accuracy, most_runs=MOST_METHODS),
    RunQuery("places/{runs}", _places, most_runs=MOST_METHODS),
    RunQuery("patch/{kind}", _patch, media_type="image/png", keep=_A_DAY),
    RunQuery("views/{run}", _course),
    RunQuery("contest/{key}", _contest),
    RunQuery("samples/{dataset}", _samples, keep=_AN_HOUR),
)
