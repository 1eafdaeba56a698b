"""What a session hands over is counted while it comes in, and erased when the session has gone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request as StarletteRequest
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from ui.web import upload_quota
from ui.web.upload_quota import UploadQuota, sweep

MOST, SIZE = 10_000_000, 4_000_000


class Handed:
    """An upload address that keeps what it gets, behind the quota."""

    def __init__(self, manager: MemoryUploadedFileManager) -> None:
        self.manager = manager
        self.heard = 0

        async def put(request: StarletteRequest) -> Response:
            data = b""
            async for chunk in request.stream():
                data += chunk
                self.heard = max(self.heard, len(data))
            session, file = request.path_params["session"], request.path_params["file"]
            manager.add_file(session, UploadedFileRec(file, "x", "x", data))
            return Response(status_code=204)

        routes = [Route("/base/_stcore/upload_file/{session}/{file}", put, methods=["PUT"])]
        routes.append(Route("/other", put, methods=["PUT"]))
        self.app = UploadQuota(Starlette(routes=routes), MOST, lambda: manager)

    async def asked(
        self, address: str, size: int, *, chunked: bool, at_once: int = 100_000
    ) -> tuple[int, str]:
        """Put so many bytes, a piece after the other; return status and text of the answer."""
        left = size
        said: dict[str, Any] = {"status": 0, "text": b""}

        async def receive() -> Message:
            nonlocal left
            await asyncio.sleep(0)
            piece = min(left, at_once)
            left -= piece
            return {"type": "http.request", "body": bytes(piece), "more_body": left > 0}

        async def send(message: Message) -> None:
            said["status"] = message.get("status", said["status"])
            said["text"] += message.get("body", b"")

        headers = [] if chunked else [(b"content-length", str(size).encode())]
        scope = {"type": "http", "method": "PUT", "path": address, "headers": headers, "query_string": b""}
        await self.app(scope, receive, send)
        return said["status"], said["text"].decode()

    def put(self, session: str, file: str, size: int, *, chunked: bool = False) -> tuple[int, str]:
        return asyncio.run(self.asked(f"/base/_stcore/upload_file/{session}/{file}", size, chunked=chunked))


@pytest.fixture
def handed() -> Handed:
    return Handed(MemoryUploadedFileManager("/_stcore/upload_file"))


@pytest.mark.parametrize("chunked", [False, True])
def test_a_session_may_hand_over_so_much_and_no_more(handed: Handed, chunked: bool) -> None:
    for number in range(3):
        assert handed.put("anna", str(number), SIZE, chunked=chunked)[0] == 204
    refused = handed.put("anna", "4", SIZE, chunked=chunked)
    assert refused[0] == 413
    assert "The files of this visit together have more than 10 MB" in refused[1]
    assert handed.put("berta", "1", SIZE, chunked=chunked)[0] == 204, "another has room"
    assert handed.put("anna", "2", SIZE, chunked=chunked)[0] == 204, "one file replaces itself"
    handed.manager.remove_file("anna", "0")
    assert handed.put("anna", "5", SIZE, chunked=chunked)[0] == 204, "there is room again"


def test_what_does_not_say_how_much_it_is_is_stopped_on_its_way(handed: Handed) -> None:
    assert handed.put("anna", "1", 60_000_000, chunked=True)[0] == 413
    assert handed.heard <= MOST + upload_quota._BESIDE
    assert not handed.manager.file_storage.get("anna")
    assert handed.app._arriving == {}


def test_several_at_once_are_counted_together(handed: Handed) -> None:
    async def at_once() -> list[int]:
        addresses = (f"/base/_stcore/upload_file/anna/{number}" for number in range(8))
        asked = (handed.asked(address, SIZE, chunked=True) for address in addresses)
        return [status for status, _ in await asyncio.gather(*asked)]

    told = asyncio.run(at_once())
    assert 413 in told
    kept = sum(len(file.data) for file in handed.manager.file_storage["anna"].values())
    assert kept <= MOST + upload_quota._BESIDE


@pytest.mark.parametrize(("at_once", "status"), [(500, 408), (100_000, 204)])
def test_a_file_that_trickles_in_is_not_waited_for(
    handed: Handed, monkeypatch: pytest.MonkeyPatch, at_once: int, status: int
) -> None:
    times = iter(range(0, 10_000, 8))
    monkeypatch.setattr(upload_quota, "monotonic", lambda: float(next(times)))
    address = "/base/_stcore/upload_file/anna/1"
    assert asyncio.run(handed.asked(address, 100_000, chunked=False, at_once=at_once))[0] == status
    assert handed.app._arriving == {}


def test_a_file_of_which_nothing_comes_is_not_waited_for(
    handed: Handed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_quota, "_PATIENCE", 0.01)

    async def nothing(size: int) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "sleep", nothing)  # Before each piece.
    status, words = handed.put("anna", "1", 1000)
    assert status == 408
    assert "too slowly" in words


def test_files_of_those_who_have_gone_are_erased(handed: Handed, monkeypatch: pytest.MonkeyPatch) -> None:
    for session in ("anna", "berta", "clara"):
        handed.put(session, "1", 1000)
    times = iter(range(0, 1000, 50))
    monkeypatch.setattr(upload_quota, "monotonic", lambda: float(next(times)))
    monkeypatch.setattr(upload_quota.st, "get_option", lambda name: 60)
    here, since = {"anna", "clara"}, {}
    assert sweep(handed.manager, here.__contains__, since) == []
    here.add("berta")
    assert sweep(handed.manager, here.__contains__, since) == []
    assert since == {}, "back in time"
    here -= {"berta"}
    gone = [sweep(handed.manager, here.__contains__, since) for _ in range(3)]
    assert gone == [[], ["berta"], []] or gone == [[], [], ["berta"]]
    assert set(handed.manager.file_storage) == {"anna", "clara"}


def test_other_requests_pass(handed: Handed) -> None:
    assert handed.put("../../x", "1", 1000)[0] in (404, 405)
