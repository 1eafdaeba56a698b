"""How much a session may hand over to Streamlit's upload address, which keeps everything in memory.

Streamlit bounds a file and neither their number nor their sum, and forgets them when the memory of the
session is collected, which may be never. Here they are counted by session while they come in, and erased
when a session has been away for longer than Streamlit waits for it. A file that
does not come in is not waited for.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

import streamlit as st
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime, exists
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

_ADDRESS = re.compile(r".*/_stcore/upload_file/(?P<session>[\w-]{1,80})/(?P<file>[\w-]{1,80})/?", re.ASCII)
# Boundaries and heads of the parts of a form, and what is asked for once more before it is let go.
_BESIDE = 5_000_000
_LOOK_EVERY = 5.0
# Seconds for a file to come in, and bytes for each second more: who says less holds a connection for nothing.
_PATIENCE, _SLOWEST = 30.0, 5_000
_TOO_SLOW = "The file came in too slowly, or not at all. Check your connection and hand it over once more."
_REFUSAL = (
    "The files of this visit together have more than {most} MB, which is the limit; take some away, or "
    "reload the page."
)


class UploadQuota:
    """Middleware that refuses what would be too much for a session, before or while it comes in."""

    def __init__(
        self,
        app: ASGIApp,
        most: int | None = None,
        manager: Callable[[], MemoryUploadedFileManager | None] | None = None,
    ) -> None:
        self.app, self._limit = app, most
        self._manager = manager or _files
        self._arriving: Counter[str] = Counter()

    @property
    def most(self) -> int:
        """Bytes a session may keep: as much as is read at a time."""
        if self._limit is None:
            # Imported when first needed: NumPy must not delay the first page.
            from experiments.requests.intake import Limits

            self._limit = int(Limits.from_environment().file_bytes)
        return self._limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on everything but an upload for which there is no room."""
        match = _ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if match is None or scope["method"] not in ("PUT", "POST"):
            await self.app(scope, receive, send)
            return
        session = match["session"]
        if self._sum(session, match["file"]) + _announced(scope) > self.most + _BESIDE:
            await self._refusal()(scope, receive, send)
            return
        arrived, begun = 0, monotonic()

        async def counted() -> Message:
            nonlocal arrived
            try:
                async with asyncio.timeout(begun + _PATIENCE + arrived / _SLOWEST - monotonic()):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, _TOO_SLOW) from None
            size = len(message.get("body", b""))
            arrived += size
            self._arriving[session] += size
            if self._sum(session, match["file"]) > self.most + _BESIDE:
                raise HTTPException(413, _REFUSAL.format(most=self.most // 1_000_000))
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self._arriving[session] -= arrived
            if self._arriving[session] <= 0:
                del self._arriving[session]

    def _sum(self, session: str, besides: str) -> int:
        """Return how much of a session is here and on its way; a file that is replaced does not count."""
        manager = self._manager()
        stored = {} if manager is None else dict(manager.file_storage.get(session, {}))
        stored_bytes = sum(len(file.data) for id, file in stored.items() if id != besides)
        return stored_bytes + self._arriving[session]

    def _refusal(self) -> PlainTextResponse:
        return PlainTextResponse(_REFUSAL.format(most=self.most // 1_000_000), 413)


def _announced(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() and len(length) < 16 else 0


def let_go(files: Iterable[Any]) -> None:
    """Forget files that a widget of this session has held, and will not be asked for again."""
    context, manager = get_script_run_ctx(suppress_warning=True), _files()
    if context is not None and manager is not None:
        for file in files:
            manager.remove_file(context.session_id, file.file_id)


async def erase_abandoned() -> None:
    """Look again and again for sessions that have gone and left files behind, as long as the server runs."""
    since: dict[str, float] = {}
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        manager = _files()
        if manager is not None:
            sweep(manager, Runtime.instance().is_active_session, since)


def sweep(
    manager: MemoryUploadedFileManager, is_active: Callable[[str], bool], since: dict[str, float]
) -> list[str]:
    """Erase the files of sessions that were away for too long; `since` is when each was first missed."""
    patience = float(st.get_option("server.disconnectedSessionTTL"))
    with_files = [session for session, files in list(manager.file_storage.items()) if files]
    away = [session for session in with_files if not is_active(session)]
    for session in list(since):
        if session not in away:
            del since[session]
    gone = [session for session in away if monotonic() - since.setdefault(session, monotonic()) > patience]
    for session in gone:
        manager.remove_session_files(session)
        del since[session]
    return gone


def _files() -> MemoryUploadedFileManager | None:
    manager = Runtime.instance().uploaded_file_mgr if exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None
