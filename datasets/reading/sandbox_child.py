"""The process that decodes foreign bytes: `sandbox` starts it, and it forks a child for each job.

    python -m datasets.reading.sandbox_child

Orders come in as lines of JSON; a line goes out when a job has ended. The child has as much processor time,
memory and room for files as its order says. It ends when its input does, and its children with it.
Where processes cannot be forked, one process carries out one job and ends.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import importlib
import json
import os
import selectors
import signal
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

from datasets.reading import upright
from datasets.reading.limits import UploadError
from datasets.reading.sandbox import ANSWER, ARGUMENTS

if sys.platform != "win32":
    import resource

# Loaded before forking: no job then spends its time on it.
_PACKAGE = (__package__ or "").rpartition(".")[0]
_DECODERS = (
    f"{_PACKAGE}.reading.reader",
    f"{_PACKAGE}.dataset_files",
    "pyarrow.csv",
    "pyarrow.parquet",
    "h5py",
    "sklearn.datasets",
    "sklearn.feature_extraction.text",
    *(f"PIL.{name}ImagePlugin" for name in ("Png", "Jpeg", "Gif", "Tiff", "WebP", "Ppm", "Bmp")),
)
_MOST_FILES = 64
_LARGEST_FILE = 2_000_000_000
_LOW_PRIORITY = 5
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_DIE_WITH_PARENT = 1


@dataclass(frozen=True)
class _Child:
    number: int
    pid: int
    deadline: float


class _Jobs:
    """The children that are at work."""

    def __init__(self) -> None:
        self._children: list[_Child] = []
        self._late: set[int] = set()

    def start(self, order: dict[str, Any]) -> None:
        job = _job(order)
        if (pid := os.fork()) == 0:
            _carry_out(job, order)
        self._children.append(_Child(order["number"], pid, monotonic() + order["patience"]))

    def patience(self) -> float | None:
        """Return the seconds to the next deadline."""
        ends = [child.deadline for child in self._children if child.pid not in self._late]
        return max(0.0, min(ends) - monotonic()) if ends else None

    def look(self) -> None:
        """Tell of those that have ended, and end those that are late."""
        for child in list(self._children):
            if child.deadline <= monotonic() and child.pid not in self._late:
                self._late.add(child.pid)
                os.kill(child.pid, signal.SIGKILL)
            pid, status, used = os.wait4(child.pid, os.WNOHANG)
            if pid:
                self._children.remove(child)
                end = _end(status, child.pid in self._late)
                self._late.discard(child.pid)
                _tell(child.number, end, used)

    def end(self) -> None:
        for child in self._children:
            os.kill(child.pid, signal.SIGKILL)


def _job(order: dict[str, Any]) -> Callable[[Path, dict[str, Any]], Any]:
    module, _, name = order["job"].partition(":")
    job: Callable[[Path, dict[str, Any]], Any] = getattr(importlib.import_module(module), name)
    return job


def _end(status: int, late: bool) -> str:
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)):
        return "late"
    return "killed" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL else "ended"


def _tell(number: int, end: str, used: resource.struct_rusage) -> None:
    # What it had in common with this process was no cost of the job.
    grown = max(0, used.ru_maxrss - _resident()) / 1e3
    report = {
        "number": number,
        "end": end,
        "seconds": used.ru_utime + used.ru_stime,
        "megabytes": grown,
    }
    print(json.dumps(report), flush=True)


def _resident() -> int:
    """Return the kilobytes of memory that a child has in common with this process."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:  # Linux alone tells.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1])


def _carry_out(job: Callable[[Path, dict[str, Any]], Any], order: dict[str, Any]) -> None:
    """Be the child: never returns."""
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)
        signal.set_wakeup_fd(-1)
        _limit(order["memory"], order["seconds"])
        _leave_answer(job, Path(order["folder"]))
        code = 0
    finally:
        os._exit(code)


def _leave_answer(job: Callable[[Path, dict[str, Any]], Any], folder: Path) -> None:
    (folder / ANSWER).write_text(json.dumps(_outcome(job, folder)), encoding="utf-8")


def _outcome(job: Callable[[Path, dict[str, Any]], Any], folder: Path) -> dict[str, Any]:
    try:
        return {"answer": job(folder, json.loads((folder / ARGUMENTS).read_text(encoding="utf-8")))}
    except UploadError as refusal:
        return {"refusal": str(refusal)}
    except MemoryError:
        return {"memory": True}
    except OSError as error:
        return {"full": os.strerror(error.errno)} if error.errno in (errno.ENOSPC, errno.EDQUOT) else {}
    except Exception:
        # Decoders raise whatever they like on damaged bytes; who handed them over gets a sentence.
        return {}


def _limit(memory: int, seconds: float) -> None:
    if _LIBC is not None:
        # If the process that forked this one is killed, so is this one.
        _LIBC.prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    whole = ceil(seconds) + 1
    for what, most in (
        (resource.RLIMIT_AS, _reserved() + memory),
        (resource.RLIMIT_CPU, whole),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_NOFILE, _MOST_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, allowed))
    # To the millisecond, which the limit above is not.
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _reserved() -> int:
    """Return the address space that is in use already."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:  # Not Linux.
        return 2_000_000_000
    return pages * resource.getpagesize()


def main() -> None:
    """Serve jobs until there is no input any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    for name in _DECODERS:
        importlib.import_module(name)
    upright.prepare()
    if sys.platform == "win32":
        _serve_one()
        return
    os.nice(_LOW_PRIORITY)
    gc.collect()
    gc.freeze()
    heard, ended = os.pipe()
    for end in (heard, ended):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(ended)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _serve(_Jobs(), heard)


def _serve_one() -> None:
    if line := sys.stdin.readline():
        order = json.loads(line)
        _leave_answer(_job(order), Path(order["folder"]))
        print(json.dumps({"number": order["number"], "end": "ended"}), flush=True)


def _serve(jobs: _Jobs, heard: int) -> None:
    selector = selectors.DefaultSelector()
    selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
    selector.register(heard, selectors.EVENT_READ)
    begun = b""
    while True:
        for key, _ in selector.select(jobs.patience()):
            if key.fd == heard:
                os.read(heard, 4096)
                continue
            read = os.read(sys.stdin.fileno(), 65_536)
            if not read:
                jobs.end()
                return
            *lines, begun = (begun + read).split(b"\n")
            for line in lines:
                jobs.start(json.loads(line))
        jobs.look()


if __name__ == "__main__":
    main()
