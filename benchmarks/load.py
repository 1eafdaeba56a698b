"""A class: all come at once, run, move sliders, go back, look around and upload at the same time.

    python -m benchmarks.load [--sessions 20] [--browsers 2] [--seconds 300]

First one visitor is alone, then the whole class is there, then the class beside a greedy visitor with as
many heavy runs as one may have, each watched. Some visitors are real browsers, one of which uploads tables;
two cores do not suffice for twenty. Each of the others is a real session of Streamlit's protocol with a real
line for the pictures; only the drawing is missing. Prints tables, writes results/load.json beside this file,
and fails if a budget is missed: errors, mix-ups, how much longer one waits than alone, memory and open files
afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import secrets
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np
from playwright.async_api import async_playwright
from websockets.asyncio.client import connect

from benchmarks.browser import app
from benchmarks.onlooker import Onlooker
from benchmarks.processes import descriptors, family_seconds, memory, processor_seconds
from benchmarks.pupil import Pupil, query
from benchmarks.report import Row, save, show
from benchmarks.streamlit_client import Visitor
from benchmarks.uploader import Uploader
from scripts import chromium
from scripts.app_server import CHROMIUM_ARGUMENTS

_LIVE = "partwise_live_view"
_ITERATIONS = 3000
_SETTLE, _LOOK_EVERY = 100.0, 5.0
_GREEDY_RUNS = 16
# What a visitor waits for; compared between one alone, the class, and the class beside a greedy one.
_WAITS = ("slider moved, new parts came", "gone back on the timeline")
_MORE_THAN_ALONE, _MORE_THAN_POLITE, _MORE_MEMORY = 3.0, 1.5, 1.1
# Beside one for each run that stays at hand, its curve.
_MORE_FILES, _AT_HAND = 20, 512


@dataclass
class Lesson:
    """What happened while some visitors were there."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)
    mixed_up: int = 0
    runs: int = 0
    most_memory: float = 0.0
    most_files: int = 0
    processor: float = 0.0
    visitors: float = 0.0

    @property
    def p95(self) -> float:
        """What one visitor in twenty waited longer for."""
        return float(np.percentile([second for what in _WAITS for second in self.times[what]], 95))


class Greedy:
    """One visitor with as many heavy runs as one may have, each watched as fast as it goes."""

    def __init__(self, url: str) -> None:
        self._url, self._token = url, secrets.token_urlsafe(24)
        self._sessions: list[Visitor] = []
        self._watching: list[asyncio.Task[None]] = []

    async def arrive(self) -> None:
        """Open a tab for each run, press Run in it and watch it."""
        for number in range(_GREEDY_RUNS):
            heavy = "live.n2s2l.n_components=200&data.orl.size=64&live.n2s2l.tol=0&live.n2s2l.max_iter=5000"
            tab = await Visitor.arrive(self._url, "live", f"{heavy}&seed={900 + number}", self._token)
            await tab.press("Run")
            self._sessions.append(tab)
            if run := tab.components.get(_LIVE, {}).get("run"):
                self._watching.append(asyncio.create_task(self._watch(str(run))))

    async def leave(self) -> None:
        """Close all tabs."""
        for task in self._watching:
            task.cancel()
        for tab in self._sessions:
            await tab.leave()

    async def _watch(self, run: str) -> None:
        address = f"{self._url.replace('http', 'ws')}/partwise/live/{run}?theme=light"
        cookie = {"Cookie": f"partwise_owner={self._token}"}
        async with connect(address, max_size=None, additional_headers=cookie) as line:
            while True:
                await line.send("next")
                await line.recv(decode=False)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure all three, and exit with 1 if a budget is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--browsers", type=int, default=2, help="how many of the sessions have a browser")
    parser.add_argument("--seconds", type=float, default=300, help="how long the class lasts")
    parser.add_argument("--settle", type=float, default=_SETTLE, help="seconds to wait before memory is read")
    given = parser.parse_args(argv)
    with app() as server:
        measured = asyncio.run(_measured(server.url, server.process.pid, given))
    tables, missed = measured
    print(f"written to {save('load', tables)}")
    if missed:
        sys.exit("\n".join(["Missed:", *missed]))


async def _measured(url: str, pid: int, given: argparse.Namespace) -> tuple[dict[str, list[Row]], list[str]]:
    short = min(60.0, given.seconds)
    await _lesson(url, pid, 3, 1, min(15.0, short))  # What is loaded once is loaded.
    alone = await _lesson(url, pid, 1, 0, short / 2)
    another = await _lesson(url, pid, 1, 0, short / 2, first=2)  # With the other method.
    alone.errors += another.errors
    for what, seconds in another.times.items():
        alone.times[what] += seconds
    lessons: dict[str, Lesson] = {}
    _note(lessons, "alone", alone)
    await asyncio.sleep(given.settle)
    before = memory(pid), descriptors(pid)
    full = await _lesson(url, pid, given.sessions, given.browsers, given.seconds)
    _note(lessons, f"class of {given.sessions}", full)
    beside = await _lesson(url, pid, given.sessions, given.browsers, given.seconds / 2, greedy=True)
    _note(lessons, "class beside a greedy one", beside)
    await asyncio.sleep(given.settle)
    after = memory(pid), descriptors(pid)
    left: list[Row] = [
        {
            "what": what, "before": first, "most": most, "after": last, "after / before": last / first,
        }
        for what, first, most, last in (
            ("memory in MB", before[0], max(full.most_memory, beside.most_memory), after[0]),
            ("open files", before[1], max(full.most_files, beside.most_files), after[1]),
        )
    ]  # fmt: skip
    show("Server and workers", left)
    tables = {name: rows for lesson in lessons.items() for name, rows in _tables(*lesson).items()}
    return tables | {"Server and workers": left}, _missed(alone, full, beside, before, after)


def _note(lessons: dict[str, Lesson], name: str, lesson: Lesson) -> None:
    """Keep a lesson and print it at once: a measurement that is broken off has shown what it had."""
    lessons[name] = lesson
    for title, rows in _tables(name, lesson).items():
        show(title, rows)


def _tables(name: str, lesson: Lesson) -> dict[str, list[Row]]:
    times = [_times(*entry) for entry in lesson.times.items()]
    return {f"{name}: times in ms": times, f"{name}: what they saw": [_seen(name, lesson)]}


def _missed(
    alone: Lesson, full: Lesson, beside: Lesson, before: tuple[float, int], after: tuple[float, int]
) -> list[str]:
    """Return what was promised and not kept."""
    files = before[1] + _MORE_FILES + min(_AT_HAND, alone.runs + full.runs + beside.runs)
    mixed, errors = full.mixed_up + beside.mixed_up, [*alone.errors, *full.errors, *beside.errors]
    found = {
        f"{len(errors)} errors, the first: {errors[:1]}": bool(errors),
        f"{mixed} mix-ups": mixed > 0,
        f"p95 of the class is {full.p95 / alone.p95:.1f} times that of one alone, at most "
        f"{_MORE_THAN_ALONE:.0f}": full.p95 > _MORE_THAN_ALONE * alone.p95,
        f"p95 beside a greedy one is {beside.p95 / full.p95:.1f} times that of the class, at most "
        f"{_MORE_THAN_POLITE}": beside.p95 > _MORE_THAN_POLITE * full.p95,
        f"memory afterwards is {after[0] / before[0]:.2f} times what it was, at most {_MORE_MEMORY}":
            after[0] > _MORE_MEMORY * before[0],
        f"{after[1]} files are open afterwards, {before[1]} were before, at most {files}": after[1] > files,
    }  # fmt: skip
    return [words for words, broken in found.items() if broken]


async def _lesson(
    url: str, pid: int, sessions: int, browsers: int, seconds: float, *, first: int = 1, greedy: bool = False
) -> Lesson:
    """Let visitors come at once, work and leave."""
    lesson, spent, theirs = Lesson(), processor_seconds(pid), family_seconds(os.getpid(), pid)
    pupils = [Pupil(number, url, lesson.times) for number in range(first, first + sessions - browsers)]
    visitor = Greedy(url)
    if greedy:
        await visitor.arrive()
    await asyncio.gather(*(pupil.arrive() for pupil in pupils))
    if len({pupil.run for pupil in pupils}) != len(pupils):
        raise RuntimeError("Two visitors were given the same run.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=CHROMIUM_ARGUMENTS)
        numbers = range(sessions - browsers + 1, sessions + 1)
        onlookers: list[Onlooker | Uploader] = [
            await Onlooker.arrive(browser, url, query(number, _ITERATIONS + number)) for number in numbers[1:]
        ]
        onlookers += [await Uploader.arrive(browser, url) for _ in numbers[:1]]
        await _busy(pid, time.monotonic() + seconds, pupils, onlookers, lesson)
        await browser.close()
    if greedy:
        await visitor.leave()
    for onlooker in onlookers:
        lesson.errors += onlooker.complaints
        for what, found in onlooker.times.items():
            lesson.times[what] += found
    lesson.processor = (processor_seconds(pid) - spent) / seconds
    lesson.visitors = (lesson.visitors - theirs) / seconds
    lesson.errors += [error for pupil in pupils for error in pupil.errors]
    lesson.frames = [pupil.frames / seconds for pupil in pupils]
    runs = [one.runs for one in (*pupils, *onlookers)]
    lesson.runs = sum(map(len, runs))
    # Pictures that are not of one's own run, and runs that two visitors had before them.
    lesson.mixed_up = sum(pupil.strange for pupil in pupils) + lesson.runs - len(set().union(*runs))
    return lesson


async def _busy(
    pid: int, until: float, pupils: list[Pupil], onlookers: list[Onlooker | Uploader], lesson: Lesson
) -> None:
    """Let everybody work for a while, and note the most memory and files there are."""
    for pupil in pupils:
        pupil.touch()
    watching = asyncio.create_task(_most(pid, until, lesson))
    everybody: list[Any] = [*pupils, *onlookers]
    work = (one.work(until, random.Random(place)) for place, one in enumerate(everybody))
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            lesson.errors.append(f"{type(outcome).__name__}: {outcome}")
    lesson.visitors = family_seconds(os.getpid(), pid)
    for one in everybody:
        await one.leave()
    await watching


async def _most(pid: int, until: float, lesson: Lesson) -> None:
    while time.monotonic() < until:
        lesson.most_memory = max(lesson.most_memory, memory(pid))
        lesson.most_files = max(lesson.most_files, descriptors(pid))
        await asyncio.sleep(_LOOK_EVERY)


def _seen(name: str, lesson: Lesson) -> Row:
    return {
        "who": name,
        "pictures a second each": median(lesson.frames),
        "fewest": min(lesson.frames),
        "runs": lesson.runs,
        "p95 in ms": 1000 * lesson.p95,
        "mix-ups": lesson.mixed_up,
        "errors": len(lesson.errors),
        # Told besides, for it is the same on a busy machine: shares of one processor. Browsers paint on the
        # machine that serves them here, as those of a class never do.
        "server's processor": lesson.processor,
        "visitors' processor": lesson.visitors,
    }


def _times(what: str, found: Sequence[float]) -> Row:
    at = {"median": median(found), "p95": float(np.percentile(found, 95)), "most": max(found)}
    return {"what": what, "times": len(found), **{name: 1000 * value for name, value in at.items()}}


if __name__ == "__main__":
    main()
