"""A class of thirty: everybody runs, moves sliders and scrubs at the same time.

    python -m benchmarks.load [--sessions 30] [--browsers 2] [--seconds 300]

Some visitors are real browsers; two cores do not suffice for thirty. Each of the others is a real session of
Streamlit's protocol with a real line for the frames; only the drawing is missing. Told are the times from a
move of a slider to the page's answer and to the first picture of the run it started, of going back on the
timeline, the pictures each visitor gets, what visitors see of each other (nothing), and the memory of the
server and its workers before, meanwhile and after.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import struct
import time
import urllib.request
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from json import loads
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.async_api import async_playwright
from websockets.asyncio.client import connect

from benchmarks.browser import app
from benchmarks.onlooker import Onlooker
from benchmarks.report import Row, save, show
from benchmarks.streamlit_client import Visitor
from scripts import chromium
from scripts.app_server import CHROMIUM_ARGUMENTS

_LIVE = "partwise_live_view"
_MOST_ITERATIONS = 3000
_BUDGET_MS = 300
_SETTLE = 100
_LOOK_EVERY = 5.0


class Pupil:
    """One visitor: a session, the run on its screen, and what happened."""

    def __init__(
        self, number: int, url: str, times: dict[str, list[float]], iterations: int = _MOST_ITERATIONS
    ) -> None:
        self.number, self.url, self.times = number, url, times
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
        self.visitor = await Visitor.arrive(self.url, "live", _query(self.number, self.limit))
        await self.visitor.press("Run")

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
        """Ask for one frame after the other, as the browser does."""
        address = f"{self.url.replace('http', 'ws')}/partwise/live/{run}?theme=light"
        async with connect(address, max_size=None, close_timeout=1) as line:
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
        """Move sliders and go back on the timeline, with a second of thought between."""
        while time.monotonic() < until:
            await asyncio.sleep(luck.uniform(0.5, 1.5))
            if luck.random() < 0.7 or not self.kept:
                await self._slide(luck)
            else:
                await self._scrub(luck)

    async def _slide(self, luck: random.Random) -> None:
        label = luck.choice(("Alpha (α)", "Beta (β)"))
        place = luck.randrange(1, len(self.visitor.widgets[label].options))
        self.seen.clear()
        self.kept = []
        begun = time.perf_counter()
        await self.visitor.slide(label, place)
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
        await asyncio.to_thread(_fetch, address)
        self.times["gone back on the timeline"].append(time.perf_counter() - begun)


def main(argv: Sequence[str] | None = None) -> None:
    """Fill the class, let it work, let it go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--browsers", type=int, default=2, help="how many of the sessions have a browser")
    parser.add_argument("--seconds", type=float, default=300)
    chosen = parser.parse_args(argv)
    with app() as server:
        found = asyncio.run(
            _lesson(server.url, server.process.pid, chosen.sessions, chosen.browsers, chosen.seconds)
        )
    for title, rows in found.items():
        show(title, rows)
    save("load", found)


async def _lesson(url: str, pid: int, sessions: int, browsers: int, seconds: float) -> dict[str, list[Row]]:
    await _class(url, pid, 3, 1, 15)  # What is loaded once is loaded.
    await asyncio.sleep(_SETTLE)
    before = memory(pid)
    spent = processor_seconds(pid)
    times, pupils, onlookers, most = await _class(url, pid, sessions, browsers, seconds)
    spent = processor_seconds(pid) - spent
    await asyncio.sleep(_SETTLE)
    after = memory(pid)
    runs = [one.runs for one in (*pupils, *onlookers)]
    errors = [error for one in pupils for error in one.visitor.errors]
    errors += [complaint for one in onlookers for complaint in one.complaints]
    title = f"{sessions} visitors, {browsers} with a browser, for {seconds:.0f} s, N²S²L on ORL 64×64"
    return {
        f"{title}: times in ms (budget: p95 ≤ {_BUDGET_MS})": [_times(*entry) for entry in times.items()],
        "What they saw": [
            {
                "pictures a second each": median(pupil.frames for pupil in pupils) / seconds,
                "fewest": min(pupil.frames for pupil in pupils) / seconds,
                "kB a picture": sum(p.bytes for p in pupils) / max(1, sum(p.frames for p in pupils)) / 1000,
                "runs": sum(map(len, runs)),
                # Of frames that are not of one's own run, and of runs that two visitors had before them.
                "of others": sum(pupil.strange for pupil in pupils)
                + sum(map(len, runs))
                - len(set().union(*runs)),
                "errors": len(errors),
                # Said besides, for it is the same on a busy machine: the share of one processor.
                "server's processor": spent / seconds,
            }
        ],
        "Memory of server and workers in MB (budget: back within 10 %)": [
            {"before": before, "most": most, "after": after, "after / before": after / before}
        ],
    }  # fmt: skip


async def _class(
    url: str, pid: int, sessions: int, browsers: int, seconds: float
) -> tuple[dict[str, list[float]], list[Pupil], list[Onlooker], float]:
    times: dict[str, list[float]] = defaultdict(list)
    pupils = [Pupil(number, url, times) for number in range(1, sessions - browsers + 1)]
    for pupil in pupils:
        await pupil.arrive()
    if len({pupil.run for pupil in pupils}) != len(pupils):
        raise RuntimeError("Two visitors were given the same run.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=CHROMIUM_ARGUMENTS)
        onlookers = [
            await Onlooker.arrive(browser, url, _query(number, _MOST_ITERATIONS + number))
            for number in range(sessions - browsers + 1, sessions + 1)
        ]
        most = await _busy(pid, time.monotonic() + seconds, pupils, onlookers)
        await browser.close()
    for onlooker in onlookers:
        for what, found in onlooker.times.items():
            times[what] += found
    return times, pupils, onlookers, most


async def _busy(pid: int, until: float, pupils: list[Pupil], onlookers: list[Onlooker]) -> float:
    """Let everybody work for a while; return the most memory there was."""
    for pupil in pupils:
        pupil.touch()
    most = asyncio.create_task(_most_memory(pid, until))
    everybody = (*pupils, *onlookers)
    await asyncio.gather(*(one.work(until, random.Random(place)) for place, one in enumerate(everybody)))
    for one in everybody:
        await one.leave()
    return await most


async def _most_memory(pid: int, until: float) -> float:
    most = memory(pid)
    while time.monotonic() < until:
        await asyncio.sleep(_LOOK_EVERY)
        most = max(most, memory(pid))
    return most


def _query(number: int, limit: int) -> str:
    return f"live.n2s2l.max_iter={limit}&live.n2s2l.tol=0&seed={number}"


def processor_seconds(pid: int) -> float:
    """Return the processor time a process has had so far, its children not counted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Return the megabytes that a process and all its children have for themselves (shares counted once)."""
    total, ahead = 0.0, [pid]
    while ahead:
        process = Path(f"/proc/{ahead.pop()}")
        for line in (process / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) / 1000
        for task in (process / "task").iterdir():
            with suppress(FileNotFoundError):  # A thread that has just ended.
                ahead += [int(child) for child in (task / "children").read_text().split()]
    return total


def _times(what: str, found: Sequence[float]) -> Row:
    at = {"median": median(found), "p95": float(np.percentile(found, 95)), "most": max(found)}
    return {"what": what, "times": len(found), **{name: 1000 * value for name, value in at.items()}}


def _fetch(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read()


if __name__ == "__main__":
    main()
