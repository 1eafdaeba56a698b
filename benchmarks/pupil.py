"""A visitor among many: a session of Streamlit's protocol with a line for the pictures, without a browser."""

from __future__ import annotations

import asyncio
import random
import secrets
import struct
import time
import urllib.request
from json import loads
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

from benchmarks.streamlit_client import Visitor

_LIVE = "partwise_live_view"
_MOST_ITERATIONS = 3000
# Codes after which the page makes its line again (`ui/static/socket.js`).
_AGAIN = {4408, 4503}
# Each with sliders whose every move starts a run; of the first it goes on from the one before.
_METHODS = (
    ("n2s2l", ("Alpha (α)", "Beta (β)")),
    ("nmf", ("Parts (k)",)),
)
_PAGES = ("start", "data", "bases", "graphs", "documents", "runs", "methods")


class Pupil:
    """One visitor: a session, the run on its screen, and what happened."""

    def __init__(
        self, number: int, url: str, times: dict[str, list[float]], iterations: int = _MOST_ITERATIONS
    ) -> None:
        self.number, self.url, self.times = number, url, times
        self.method, self._levers = _METHODS[number % len(_METHODS)]
        # What the page has the browser remember: by it a visitor is told from others behind one address.
        self._token = secrets.token_urlsafe(24)
        self._cookie = {"Cookie": f"partwise_owner={self._token}"}
        self.errors: list[str] = []
        self.limit = iterations + number  # Nobody else has this number: it tells whose run is seen.
        self.frames, self.bytes, self.strange = 0, 0, 0
        self.kept: list[tuple[str, int]] = []
        self.runs: set[str] = set()
        self.seen: asyncio.Event = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    @property
    def run(self) -> str:
        """The id of the run on the screen."""
        return str(self.visitor.components[_LIVE]["run"])

    async def arrive(self) -> None:
        """Open the live page and press Run."""
        begun = time.perf_counter()
        self.visitor = await Visitor.arrive(
            self.url, "live", query(self.number, self.limit, self.method), self._token
        )
        await self.visitor.press("Run")
        self.times["arrived and pressed Run"].append(time.perf_counter() - begun)

    def touch(self) -> None:
        """Watch the run that is on the screen now, and no other any more: so does the page."""
        self.look_away()
        self.runs.add(self.run)
        self._watching = asyncio.create_task(self._watch(self.run))

    def look_away(self) -> None:
        """Close the line; what went wrong on it is raised."""
        if self._watching is not None and not self._watching.cancel():
            self._watching.result()

    async def _watch(self, run: str) -> None:
        """Ask for one frame after the other; told to come again, do so as the page does: an error counts."""
        while True:
            try:
                await self._follow(run)
            except ConnectionClosedError as closed:
                if closed.rcvd is None or closed.rcvd.code not in _AGAIN:
                    raise
                self.errors.append(f"{time.monotonic():.0f}: line of {run} closed: {closed.rcvd.reason}")
                await asyncio.sleep(1)

    async def _follow(self, run: str) -> None:
        address = f"{self.url.replace('http', 'ws')}/partwise/live/{run}?theme=light"
        async with connect(address, max_size=None, close_timeout=1, additional_headers=self._cookie) as line:
            while True:
                await line.send("next")
                self._take(await line.recv(decode=False))

    def _take(self, frame: bytes) -> None:
        [length] = struct.unpack_from("<I", frame)
        header = loads(frame[4 : 4 + length])
        self.frames += 1
        self.bytes += len(frame)
        self.strange += header["id"] != self.run and header["limit"] != self.limit
        if header["id"] != self.run:
            return  # As the page does: what comes of the run before is not shown any more.
        self.kept = [(self.run, iteration) for iteration in header["snapshots"]]
        if header["shown"] >= 0:
            self.seen.set()

    async def work(self, until: float, luck: random.Random) -> None:
        """Move sliders, go back on the timeline, open other pages, with a second of thought between."""
        while time.monotonic() < until:
            await asyncio.sleep(luck.uniform(0.5, 1.5))
            lot = luck.random()
            if lot < 0.1:
                await self._look_around(luck)
            elif lot < 0.7 or not self.kept:
                await self._slide(luck)
            else:
                await self._scrub(luck)

    async def _slide(self, luck: random.Random) -> None:
        label = luck.choice(self._levers)
        self.seen.clear()
        self.kept = []
        begun = time.perf_counter()
        await self.visitor.slide(label, luck.uniform(0.2, 0.8))
        self.errors += self.visitor.errors
        self.visitor.errors.clear()
        self.times["slider moved, page answered"].append(time.perf_counter() - begun)
        self.touch()
        await asyncio.wait_for(self.seen.wait(), 30)
        self.times["slider moved, new parts came"].append(time.perf_counter() - begun)

    async def leave(self) -> None:
        """Close the tab."""
        self.look_away()
        await self.visitor.leave()

    async def _scrub(self, luck: random.Random) -> None:
        run, iteration = luck.choice(self.kept)
        address = f"{self.url}/partwise/kept/{run}/{iteration}?theme=light"
        begun = time.perf_counter()
        await asyncio.to_thread(_fetch, urllib.request.Request(address, headers=self._cookie))
        self.times["gone back on the timeline"].append(time.perf_counter() - begun)

    async def _look_around(self, luck: random.Random) -> None:
        """Open another page in a tab of its own and close it again."""
        begun = time.perf_counter()
        tab = await Visitor.arrive(self.url, luck.choice(_PAGES), f"seed={self.number}", self._token)
        self.times["another page opened"].append(time.perf_counter() - begun)
        self.errors += tab.errors
        await tab.leave()


def query(number: int, limit: int, method: str = "n2s2l") -> str:
    """Return the address of a visitor's live page: the limit tells whose run it is."""
    return f"method={method}&live.{method}.max_iter={limit}&live.{method}.tol=0&seed={number}"


def _fetch(request: urllib.request.Request) -> Any:
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()
