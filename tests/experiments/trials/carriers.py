"""Carriers made for tests: work done in threads of this process, and work that waits to be let through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from experiments.trials import Chain, Result, Trial
from experiments.trials.carriers import Processes
from experiments.trials.carriers.carrier import Carrier, Loss


class Here(Carrier):
    """Carries out everything in threads; a test may decide which work costs its worker, and how often."""

    name, width = "here", 2

    def __init__(self, costs_its_worker: Sequence[str] = (), times: int = 99) -> None:
        self._deadly, self._times = set(costs_its_worker), times
        self.done: list[str] = []
        self.pieces: list[tuple[str, ...]] = []
        self.opened = 0

    def open(self) -> Executor:
        self.opened += 1
        outer = self

        class Pool(ThreadPoolExecutor):
            def submit(self, act: Any, /, *args: Any, **named: Any) -> Future[Any]:
                keys = Chain.from_json(args[0]).keys
                if outer._deadly.intersection(keys) and outer._times > 0:
                    outer._times -= 1
                    broken: Future[Any] = Future()
                    broken.set_exception(BrokenProcessPool())
                    return broken
                outer.done.extend(keys)
                outer.pieces.append(keys)
                return super().submit(act, *args, **named)

        return Pool(2)

    def loss(self, error: BaseException) -> Loss:
        return Processes(1).loss(error)

    def close(self, executor: Executor) -> None:
        executor.shutdown()


class Some(Here):
    """Carries out so many pieces of work; what is begun after those never ends by itself."""

    def __init__(self, pieces: int) -> None:
        super().__init__()
        self._left = pieces
        self.stuck: list[Future[str]] = []

    def submit(self, executor: Executor, text: str, owner: str, unattended: bool) -> Future[str]:
        if self._left:
            self._left -= 1
            return super().submit(executor, text, owner, unattended)
        self.stuck.append(Future())
        return self.stuck[-1]


class Gate(Carrier):
    """One at a time, and none before it is let through."""

    name, width = "a gate", 1

    def __init__(self, width: int = 1, by_owner: int | None = None) -> None:
        self.width, self._by_owner = width, by_owner or width
        self.begun: list[Trial] = []
        self.waiting: list[Future[str]] = []
        self.whose: list[tuple[str, bool]] = []
        self._open = False

    @property
    def most_by_owner(self) -> int:
        return self._by_owner

    def open(self) -> Executor:
        return ThreadPoolExecutor(1)

    def loss(self, error: BaseException) -> Loss:
        raise AssertionError(error)

    def close(self, executor: Executor) -> None:
        self.open_wide()

    def submit(self, executor: Executor, text: str, owner: str, unattended: bool) -> Future[str]:
        self.begun.append(Chain.from_json(text).trials[0])
        self.whose.append((owner, unattended))
        self.waiting.append(Future())
        if self._open:
            self.let_through()
        return self.waiting[-1] if self.waiting else _done()

    def let_through(self, seconds: float = 0.1) -> None:
        future = self.waiting.pop()
        if future.set_running_or_notify_cancel():
            future.set_result(_text(seconds))

    def open_wide(self) -> None:
        self._open = True
        while self.waiting:
            self.let_through()


def _text(seconds: float) -> str:
    return json.dumps([Result({"accuracy": 1.0}, seconds=seconds).to_json()])


def _done() -> Future[str]:
    future: Future[str] = Future()
    future.set_result(_text(0.1))
    return future
