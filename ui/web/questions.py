"""Requests to the server: an address, the function that answers, and how its answer or refusal is sent.

An answer is a plain function of a `CheckedRequest`. It returns bytes, or what is sent as JSON; a
ValueError, a RefusedError or missing data become a sentence. It imports what it needs when it is called:
NumPy and Pillow must not delay the first page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ui.web.checked_request import CheckedRequest, RefusedError, run_ids, visitor_of, who_asks
from ui.web.lookup import runs_of
from ui.web.origin import from_our_pages
from ui.web.threads import BusyError, Threads

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

_LONGEST_SENTENCE = 400
# A question about something new is answered at the latest after this long, with what there is.
_PATIENCE, _LOOK_EVERY = 8.0, 0.03
working = Threads(8, name="answer", patience=60.0)


@dataclass(frozen=True)
class RunQuery:
    """An address below `/partwise/`; `{run}` or `{runs}` in it are ids of runs.

    `keep` says for how many seconds a browser may keep the answer; what is about an upload it never may.
    One that `waits` is answered when the run is no longer as the browser has `seen` it.
    """

    address: str
    answer: Callable[[CheckedRequest], bytes | dict[str, Any]]
    media_type: str = "application/octet-stream"
    keep: int = 0
    most_runs: int = 1
    waits: bool = False

    def route(self, prefix: str = "") -> Route:
        """Return the Starlette route."""
        return Route(f"{prefix}/partwise/{self.address}", self._respond)

    async def _respond(self, request: Request) -> Response:
        try:
            checked_request = await checked(request, self.most_runs)
            if self.waits:
                await _something_new(checked_request)
            return await working.run(partial(self._answered, checked_request), who_asks(request))
        except RefusedError as refusal:
            return refused(refusal)
        except BusyError:
            return refused(RefusedError("The server is very busy. Try again in a moment.", 503))

    def _answered(self, request: CheckedRequest) -> Response:
        from experiments.requests.intake import is_upload
        from experiments.requests.library import DataUnavailableError

        of_an_upload = any(is_upload(dataset) for dataset in request.datasets)
        try:
            answer = self.answer(request)
        except DataUnavailableError as missing:
            raise RefusedError(str(missing), 404) from missing
        except RefusedError:
            raise
        except ValueError as refusal:
            # An upload may be erased while somebody looks at what was made of it.
            raise RefusedError(str(refusal), 404 if of_an_upload else 400) from refusal
        keep = self.keep and not of_an_upload
        headers = {"Cache-Control": f"private, max-age={self.keep}, immutable" if keep else "no-store"}
        if isinstance(answer, bytes):
            return Response(answer, media_type=self.media_type, headers=headers)
        return JSONResponse(answer, headers=headers)


async def checked(connection: HTTPConnection, most_runs: int) -> CheckedRequest:
    """Return what a request asks; a RefusedError if it makes no sense or is not for this visitor."""
    if not from_our_pages(connection):
        raise RefusedError("Only Partwise's own pages may ask this.", 403)
    path = {name: str(value) for name, value in connection.path_params.items()}
    joined = path.pop("runs", path.pop("run", None))
    visitor = visitor_of(connection)
    ids = () if joined is None else run_ids(joined, most_runs)
    query = {name: connection.query_params.getlist(name) for name in connection.query_params}
    return CheckedRequest(path, query, visitor, await runs_of(ids, who_asks(connection)) if ids else ())


def refused(refusal: RefusedError) -> Response:
    """Return a refusal as plain text: it may hold words of strangers."""
    return Response(
        str(refusal)[:_LONGEST_SENTENCE],
        status_code=refusal.status,
        media_type="text/plain",
        headers={"Cache-Control": "no-store"},
    )


def version_text(handle: Handle) -> str:
    """Return a short text that differs whenever there is anything new to show of a run."""
    return ".".join(str(part) for part in handle.version)


async def _something_new(request: CheckedRequest) -> None:
    until = monotonic() + _PATIENCE
    while version_text(request.run) == request.word("seen") and monotonic() < until and not request.run.ended:
        request.run.touch()
        await asyncio.sleep(_LOOK_EVERY)
