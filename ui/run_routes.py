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
from ui.web.checked_request import CheckedRequest, RefusedError
from ui.web.questions import RunQuery, refused

if TYPE_CHECKING:
    from experiments.fitted.recognisers import How
    from experiments.inspection.parts import Order
    from experiments.measures.recognition import Metric
    from experiments.requests.corruption import Kind, Patch
    from ui.tune.sweeps import Registered

_A_DAY, _AN_HOUR = 86_400, 3600
_MOST_WORD_VIEWS = 2


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


def _snapshot(request: CheckedRequest) -> bytes:
    """Answer with the pictures of a stored snapshot; they never change."""
    from ui.live.frames import snapshot_frame

    view, sample = request.word("view") or None, request.number("sample")
    return snapshot_frame(request.run, request.number("iteration"), request.theme, view, sample)


def _cast(request: CheckedRequest) -> dict[str, Any]:
    """Answer with who the points of a run are."""
    from ui.live.cloud import cast as cast_of

    return cast_of(request.run)


def _parts(request: CheckedRequest) -> bytes:
    from ui.bases.answers import sheet

    order = cast("Order", request.word("order", "weight"))
    return sheet(request.run, request.word("view") or None, order, request.theme)


def _rebuilt(request: CheckedRequest) -> bytes:
    from ui.bases.answers import rebuilt

    view, off = request.word("view") or None, request.numbers("off")
    return rebuilt(request.run, view, request.number("sample"), off)


def _users(request: CheckedRequest) -> bytes:
    from ui.bases.answers import users

    return users(request.run, request.word("view") or None, request.number("part"), request.theme)


def _strip(request: CheckedRequest) -> bytes:
    """Answer with a sample as weight × part + … + rest, at present or at an iteration that was kept."""
    from ui.strip import MOST_TERMS, strip_of_run

    view, most = request.word("view") or None, request.optional_number("most")
    return strip_of_run(
        request.run, request.number("sample"), view, MOST_TERMS if most is None else most,
        request.numbers("off"), request.optional_number("iteration"),
    )  # fmt: skip


def _topics(request: CheckedRequest) -> dict[str, Any]:
    from ui.documents.answers import overview

    return overview(request.run, request.word("beside"))


def _documents(request: CheckedRequest) -> dict[str, Any]:
    """Answer with a page of the documents of a topic, a class, or both."""
    from ui.documents.answers import documents

    topic, group = request.optional_number("topic"), request.optional_number("class")
    return documents(request.run, topic, group, request.word("taken") == "1", request.number("start"))


def _document(request: CheckedRequest) -> dict[str, Any]:
    from ui.documents.answers import document

    topic, beside = request.optional_number("topic"), request.word("beside")
    return document(request.run, request.number("row"), topic, beside)


def _search(request: CheckedRequest) -> dict[str, Any]:
    from ui.documents.answers import search

    return search(request.run, request.word("q"))


def _accuracy(request: CheckedRequest) -> dict[str, Any]:
    """Answer with the accuracy curves so far."""
    from ui.robustness.surveys import accuracy

    kind, metric, how = _setting(request)
    return accuracy(request.runs, kind, metric, how, request.looker)


def _accuracy_figure(request: CheckedRequest) -> bytes:
    """Answer with the accuracy curves so far as SVG."""
    from ui.robustness.surveys import figure

    kind, metric, how = _setting(request)
    return figure(request.runs, kind, metric, how, request.looker).encode()


def _places(request: CheckedRequest) -> dict[str, Any]:
    """Answer with the accuracy maps so far."""
    from ui.robustness.surveys import places

    kind, metric, how = _setting(request)
    return places(request.runs, cast("Patch", kind), request.number("size"), metric, how, request.looker)


def _setting(request: CheckedRequest) -> tuple[Kind, Metric, How]:
    """Return how a face is spoiled and recognised; a ValueError if there is no such thing."""
    from ui.robustness.answers import check_setting

    kind, metric, how = request.word("kind"), request.word("metric"), request.word("how")
    check_setting(kind, metric, how)
    return cast("Kind", kind), cast("Metric", metric), cast("How", how)


def _patch(request: CheckedRequest) -> bytes:
    from ui.robustness.answers import patch_picture

    return patch_picture(
        cast("Patch", request.word("kind")), request.number("height"), request.number("width")
    )


def _course(request: CheckedRequest) -> dict[str, Any]:
    """Answer with weights and errors of every view; `words` (up to twice) asks for the topics of a view."""
    from ui.views.answers import course

    return course(request.run, tuple(request.words("words")[:_MOST_WORD_VIEWS]))


def _contest(request: CheckedRequest) -> dict[str, Any]:
    """Answer with how far a contest is; asking moves it on."""
    from ui.views.answers import contest

    key = request.word("key")
    answer = contest(key, request.visitor or key)
    if answer is None:
        raise RefusedError("This comparison is no longer kept: reload the page to make it again.", 404)
    return answer


def _tune(request: CheckedRequest) -> dict[str, Any]:
    """Answer with where a sweep stands; one that is to `begin` goes on as long as it is asked about."""
    from ui.tune.answers import state

    begins = request.word("begin") == "1"
    return state(_sweep(request), _visitor(request), begins=begins, seen=request.word("seen"))


def _tune_cells(request: CheckedRequest) -> bytes:
    """Answer with pictures and curves of some cells of a sweep."""
    from ui.tune.answers import cells

    return cells(_sweep(request), _visitor(request), request.numbers("cells"), request.theme)


def _tune_pairs(request: CheckedRequest) -> bytes:
    """Answer with how often two samples belong together in a cell, over several starts."""
    from ui.tune.answers import pairs

    return pairs(_sweep(request), _visitor(request), request.number("cell"), request.theme)


def _tune_importance(request: CheckedRequest) -> dict[str, Any]:
    """Answer with how much each parameter matters to a measure."""
    from ui.tune.answers import importance

    return importance(_sweep(request), _visitor(request), request.word("measure"))


def _sweep(request: CheckedRequest) -> Registered:
    from ui.tune.sweeps import registered
    from ui.uploads import belongs_to

    entry = registered(request.word("key"))
    if entry is None or not belongs_to(entry.sweep.dataset, request.visitor):
        raise RefusedError("This sweep is no longer at hand: reload the page, and it goes on.", 404)
    return entry


def _visitor(request: CheckedRequest) -> str:
    return request.visitor or request.word("key")


def _contest_figure(request: CheckedRequest) -> bytes:
    """Answer with the figure of a contest by one measure as SVG."""
    from ui.views.answers import figure

    key = request.word("key")
    svg = figure(key, request.word("measure"), request.visitor or key)
    if svg is None:
        raise RefusedError("This comparison is no longer kept: reload the page to make it again.", 404)
    return svg.encode()


def _samples(request: CheckedRequest) -> bytes:
    """Answer with a picture of some samples; the query holds the options the data set is loaded with."""
    from ui.live.frames import samples_picture
    from ui.uploads import belongs_to

    dataset = request.word("dataset")
    if not belongs_to(dataset, request.visitor):
        raise RefusedError("There is no such data set here.", 404)
    options = {name: request.word(name) for name in request.query if name != "theme"}
    return samples_picture(dataset, options, request.theme)


def _class(request: CheckedRequest) -> dict[str, Any]:
    """Answer with how often a class has been taken somewhere; who asks is counted as there."""
    from ui.teaching import classroom

    room = classroom.room(request.word("room"))
    if room is None:
        raise RefusedError(classroom.GONE, 404)
    room.note(request.visitor or "")
    return {"version": room.version}


QUESTIONS = (
    RunQuery("kept/{run}/{iteration}", _snapshot, keep=_A_DAY),
    RunQuery("cast/{run}", _cast, keep=_A_DAY),
    RunQuery("basis/{run}/parts", _parts),
    RunQuery("basis/{run}/rebuilt", _rebuilt),
    RunQuery("basis/{run}/users", _users),
    RunQuery("strip/{run}", _strip, waits=True),
    RunQuery("topics/{run}", _topics, waits=True),
    RunQuery("topics/{run}/documents", _documents),
    RunQuery("topics/{run}/document/{row}", _document),
    RunQuery("topics/{run}/search", _search),
    RunQuery("accuracy/{runs}", _accuracy, most_runs=MOST_METHODS),
    RunQuery("accuracy/{runs}/figure", _accuracy_figure, media_type="image/svg+xml", most_runs=MOST_METHODS),
    RunQuery("places/{runs}", _places, most_runs=MOST_METHODS),
    RunQuery("patch/{kind}", _patch, media_type="image/png", keep=_A_DAY),
    RunQuery("views/{run}", _course),
    RunQuery("contest/{key}", _contest),
    RunQuery("contest/{key}/figure/{measure}", _contest_figure, media_type="image/svg+xml"),
    RunQuery("tune/{key}", _tune),
    RunQuery("tune/{key}/cells", _tune_cells),
    RunQuery("tune/{key}/pairs", _tune_pairs, media_type="image/webp"),
    RunQuery("tune/{key}/importance", _tune_importance),
    RunQuery("samples/{dataset}", _samples, keep=_AN_HOUR),
    RunQuery("class/{room}", _class),
)
