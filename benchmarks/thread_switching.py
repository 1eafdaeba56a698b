"""What an answer to a dragged patch waits for in the server when other threads draw pages there.

    python -m benchmarks.thread_switching

Four fitted methods, ORL 64×64, asked in this process as `ui.robustness.socket` asks them, beside threads that
compute in Python, with Python's own interval of switching between threads and with that of the server.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, sleep

import numpy as np

from benchmarks.report import Row, save, show
from experiments import RunRequest
from ui.robustness.answers import Panel
from ui.service import close, service
from ui.startup import SWITCH_EVERY

_METHODS = {"pca": {}, "lda": {}, "nmf": {"max_iter": 100}, "n2s2l": {"max_iter": 60}}
_PYTHONS_OWN = 0.005
_MOVES, _EVERY = 200, 0.016
_BESIDE = (0, 1, 2)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print a row for each interval and number of threads."""
    panel = _panel()
    rows: list[Row] = []
    for beside in _BESIDE:
        for interval in (_PYTHONS_OWN, SWITCH_EVERY):
            sys.setswitchinterval(interval)
            with _busy(beside):
                waited = _dragged(panel)
            rows.append({
                "threads beside": beside, "interval ms": 1000 * interval,
                "median ms": float(np.median(waited)), "p95 ms": float(np.percentile(waited, 95)),
            })  # fmt: skip
    close()
    show("An answer to a dragged patch beside busy threads", rows)
    save("thread_switching", rows)


def _panel() -> Panel:
    runs = [service().submit(RunRequest("orl", method, params)) for method, params in _METHODS.items()]
    while not all(run.ended for run in runs):
        for run in runs:
            run.touch()
        sleep(0.05)
    panel = Panel(runs)
    while b'"fitting"' in panel.answer(panel.understood(_question(0))):
        sleep(0.05)
    return panel


def _question(number: int) -> str:
    place = {"left": 3 * number % 30, "top": 7 * number % 30}
    how = {"kind": "grey", "amount": 20, "metric": "euclidean", "how": "ridge", "clean": False}
    return json.dumps({"number": number, "face": number % 20} | place | how)


def _dragged(panel: Panel) -> Sequence[float]:
    """Return the milliseconds that answers took."""
    waited = []
    for number in range(_MOVES):
        begun = perf_counter()
        panel.answer(panel.understood(_question(number)))
        waited.append(1000 * (perf_counter() - begun))
        sleep(_EVERY)
    return waited


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """Have so many threads compute until the block ends."""
    over = threading.Event()

    def compute() -> None:
        while not over.is_set():
            sum(number * number for number in range(1000))

    threads = [threading.Thread(target=compute) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    over.set()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
