"""What one more visitor costs: memory of the server and its workers as a class fills up.

    python -m benchmarks.session_memory [--visitors 20]

Each visitor opens the live page and starts a run of the demo's data, and stays with the run ended. (Budget:
25 MB each.)
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence

from benchmarks.browser import app
from benchmarks.processes import memory
from benchmarks.pupil import Pupil
from benchmarks.report import Row, save, show

_FIRST = 3  # Their visits load what is loaded once.
_ITERATIONS = 300
_REST = 60.0


def main(argv: Sequence[str] | None = None) -> None:
    """Let visitors come, and weigh the server after the first few and after the last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=20)
    more = parser.parse_args(argv).visitors
    with app() as server:
        rows = asyncio.run(_filling(server.url, server.process.pid, more))
    show("Memory of server and workers in MB (budget: 25 for each further visitor)", rows)
    save("session_memory", {"memory": rows})


async def _filling(url: str, pid: int, more: int) -> list[Row]:
    pupils: list[Pupil] = []
    found = []
    for count in (_FIRST, more):
        for _ in range(count):
            pupil = Pupil(len(pupils) + 1, url, {}, _ITERATIONS)
            await pupil.arrive()
            pupil.touch()
            pupils.append(pupil)
            await asyncio.wait_for(pupil.seen.wait(), 30)
        await asyncio.sleep(_REST)
        found.append(memory(pid))
    for pupil in pupils:
        await pupil.leave()
    few, many = found
    return [{f"{_FIRST} visitors": few, f"{_FIRST + more} visitors": many, "each": (many - few) / more}]


if __name__ == "__main__":
    main()
