"""Which runs are under way and which wait for their turn, and the commands for those that wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.engine.fairness import fair_order
from experiments.engine.handle import Handle
from experiments.engine.run_cache import RunCache, RunRefusedError
from experiments.engine.worker_pool import WorkerPool

# Paused ones take no processor, but memory.
_MOST_UNDER_WAY = 64
# Of all places so many for one owner, and as many for one address, which may be a whole school's.
_SHARE = 3 / 4
# More than a class has, and less than the server holds.
_MOST_BY_ADDRESS = 256


class RunQueue:
    """Gives runs to workers as soon as there are places, owners in turn. Not thread-safe.

    Each worker has `at_once` places; runs that are paused or that nobody looks at take none. An owner has
    `most_by_owner` runs under way or waiting, and never all places; nor has an address, whatever number of
    names it takes. Runs that are `stopping` count no more. `folder` is where the runs have their files.
    """

    def __init__(
        self,
        runs: RunCache,
        pool: WorkerPool,
        folder: Path,
        stopping: Callable[[], set[str]],
        *,
        at_once: int,
        most_by_owner: int,
    ) -> None:
        self._runs, self._pool, self._folder, self._stopping = runs, pool, folder, stopping
        self._at_once, self._most_by_owner = at_once, most_by_owner
        self._waiting: dict[str, dict[str, Any]] = {}
        # The start commands of the runs under way.
        self._begun: dict[str, dict[str, Any]] = {}

    def add(self, command: dict[str, Any], warm_from: str | Path | None) -> None:
        """Queue a start command for a cached run, and begin what may begin."""
        # At once, so that a preview does not count as one that is under way: it would go on from itself.
        self._waiting[command["id"]] = command | {"queued": []}
        self._waiting[command["id"]] |= self._warmth(warm_from)
        self.admit()

    def put_back(self, handle: Handle) -> None:
        """Queue a run under way again, as it stood; a paused one is computed up to its last iteration."""
        iteration = handle.version[0] - 1
        until = max(0, iteration) if handle.held else handle.until
        queued = [] if until is None else [{"do": "until", "id": handle.id, "iteration": until}]
        restart = {"folder": handle.folder.name, "paused": bool(queued), "pace": handle.pace}
        self._waiting[handle.id] = self._begun[handle.id] | restart | {"queued": queued}
        self.admit()

    def forget(self, id: str) -> None:
        """Note that a run has ended."""
        self._waiting.pop(id, None)
        self._begun.pop(id, None)

    def waits(self, id: str) -> bool:
        """Return whether a run waits for its turn."""
        return id in self._waiting

    @property
    def crowded(self) -> bool:
        """Whether a run waits because as many are under way as there is memory for."""
        return bool(self._waiting) and len(self.under_way()) >= _MOST_UNDER_WAY

    def under_way(self) -> list[Handle]:
        """Return the runs that workers of this server have."""
        here = (run for run in self._runs if not run.elsewhere)
        return [run for run in here if not run.ended and run.id not in self._waiting]

    def check_number(self, owner: str | None, address: str) -> None:
        """Raise a RunRefusedError if an owner, or an address, has as many runs as one may have."""
        stopping = self._stopping()
        going = [run for run in self._runs if not run.ended and run.id not in stopping]
        if address and sum(run.address == address for run in going) >= _MOST_BY_ADDRESS:
            raise RunRefusedError(
                f"{_MOST_BY_ADDRESS} runs of your network are under way or wait, as many as one may have. "
                "Try again in a minute."
            )
        if owner and sum(run.owner == owner for run in going) >= self._most_by_owner:
            raise RunRefusedError(
                f"{self._most_by_owner} of your runs are under way or wait, as many as one visitor may have. "
                "Stop one, or wait until one has ended."
            )

    def admit(self, leaving: Handle | None = None) -> None:
        """Start the runs whose turn it is, and update the queue positions of the others.

        A run that is just `leaving` still counts for its owner, who thus does not get its place at once.
        """
        while ready := [waiting for waiting in self._in_turn(leaving) if self._room(waiting)]:
            handle = ready[0]
            # It still waits if no worker can be started, and nothing of it is lost.
            after = self._waiting[handle.id].get("warm", {}).get("run")
            worker = self._pool.take_on(handle.id, after=after)
            command = self._waiting.pop(handle.id) | {"unseen": handle.unseen}
            handle.before, handle.status = 0, "preparing"
            queued = command.pop("queued")
            self._begun[handle.id] = command
            for message in (command, *queued):
                worker.send(message)
        for place, handle in enumerate(self._in_turn()):
            handle.status, handle.before = "waiting", place

    def hold_for(self, handle: Handle, action: str, details: dict[str, Any]) -> None:
        """Store a command (not a stop) for a waiting run; it is sent as soon as the run begins."""
        command = self._waiting[handle.id]
        if action == "pace":
            command["pace"] = handle.pace
        elif action == "turn":
            command |= details
        elif action in ("pause", "resume") and not command["queued"]:
            command["paused"] = handle.held = action == "pause"
        else:
            handle.held = action in ("pause", "step")
            command["paused"] = True  # It must not run on before it has the queued commands.
            command["queued"].append({"do": action, "id": handle.id, **details})

    def _in_turn(self, leaving: Handle | None = None) -> list[Handle]:
        running = [run for run in self.under_way() if not run.unseen] + ([leaving] if leaving else [])
        return fair_order((self._runs[id] for id in self._waiting), running)

    def _room(self, newcomer: Handle) -> bool:
        """Return whether a run may begin; no owner's runs take all places, and no address's."""
        under_way, places, stopping = self.under_way(), self._at_once * self._pool.size, self._stopping()
        seen = [run for run in under_way if run.status != "paused" and not run.unseen]
        busy = [run for run in seen if run.id not in stopping]
        own = sum(bool(handle.owner) and handle.owner == newcomer.owner for handle in busy)
        if len(busy) >= places or own >= max(1, int(_SHARE * places)) or len(under_way) >= _MOST_UNDER_WAY:
            return False
        limits = ((busy, max(1, int(_SHARE * places))), (under_way, int(_SHARE * _MOST_UNDER_WAY)))
        return not newcomer.address or all(
            sum(run.address == newcomer.address for run in runs) < most for runs, most in limits
        )

    def _warmth(self, warm_from: str | Path | None) -> dict[str, Any]:
        """Return the part of a start command that says where the worker finds the factors to go on from."""
        if warm_from is None:
            return {}
        if isinstance(warm_from, Path):
            return {"warm": {"file": str(warm_from)}}
        if (begins := self._waiting.get(warm_from)) is not None:  # It has no factors of its own yet.
            return {"warm": begins["warm"]} if "warm" in begins else {}
        source = self._runs.get(warm_from)
        if source is None:
            return {"warm": {"file": str(self._folder / "gone")}}
        # What somebody tries out on a shared run is nobody else's beginning.
        previews = () if source.shared else self.under_way()
        nearest = next((run for run in previews if run.preview_of == source.id), source)
        source_run = {"run": nearest.id, "file": str(source.folder), "request": source.request.as_given()}
        return {"warm": source_run | {"told": not source.warm}}
