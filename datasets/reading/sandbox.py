"""Foreign bytes are decoded in a process of their own, which has little memory and little time.

A server process (`sandbox_child`) is started when first needed. It loads the decoders, touches no foreign
byte itself, and forks a child for each job: a new process would take a second to load them. The child finds
its files in a folder and leaves its answer there, as JSON and .npy; nothing of it is unpickled. Whatever
happens to it, its parent gets an answer or an UploadError.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from datasets.reading.limits import Limits, UploadError, megabytes

# Carried out by the child: takes the folder and what it was given, and returns what JSON can hold.
Job = Callable[[Path, dict[str, Any]], Any]
ARGUMENTS, ANSWER = "given.json", "answer.json"
# An answer is decoded in one piece; arrays and long lists of words have files of their own.
MOST_ANSWER = 16_000_000
LONGEST_REFUSAL = 600
# The child's processor time is limited. By the clock it may take longer, on a machine that is busy.
_PATIENCE, _PATIENCE_MORE = 3, 20
_PACKAGE = __name__.rpartition(".")[0]
_ROOT = Path(__file__).parents[len(_PACKAGE.split("."))]
_ENVIRONMENT = {
    # Threads would reserve memory each, and do not survive a fork.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # An HDF5 file may name a compression plug-in; "::" is the library's word for loading none.
    "HDF5_PLUGIN_PRELOAD": "::",
}
log = logging.getLogger(__name__)


def carry_out(job: Job, folder: Path, arguments: Mapping[str, Any], limits: Limits, size: int) -> Any:
    """Return what a function of a module makes of the files in a folder, carried out in a limited process.

    `size` is how many foreign bytes there are: larger files may take more memory and time. An UploadError
    says in a sentence why there is no answer.
    """
    seconds, memory = limits.seconds_for(size), limits.memory_for(size)
    try:
        (folder / ARGUMENTS).write_text(json.dumps(arguments), encoding="utf-8")
    except (TypeError, ValueError) as error:
        raise UploadError(f"The corrections must be text, numbers and lists of these: {error}.") from error
    order = {
        "job": f"{job.__module__}:{job.__qualname__}",
        "folder": str(folder),
        "seconds": seconds,
        "patience": _PATIENCE * seconds + _PATIENCE_MORE,
        "memory": memory,
    }
    end = _ask(order)
    log.debug("%s: %.3f s, %.1f MB", order["job"], end.get("seconds", 0.0), end.get("megabytes", 0.0))
    if end["end"] == "late":
        raise UploadError(
            f"The upload takes longer to open than a file of its size may ({seconds:.0f} s): it is packed in "
            "an unusual way or made to take long. Save it again, or hand over less of it."
        )
    answer = _answer(folder)
    if end["end"] == "killed" or "memory" in answer:
        raise UploadError(
            f"The upload takes more memory to open than a file of its size may ({megabytes(memory)}): "
            "save it in another format, or hand over less of it."
        )
    if "answer" not in answer:
        _refuse(answer)
    return answer["answer"]


def prepare() -> None:
    """Start the server process, so that the first upload need not wait for it."""
    with _starting:
        _server()


def _answer(folder: Path) -> dict[str, Any]:
    path = folder / ANSWER
    try:
        if path.stat().st_size <= MOST_ANSWER:
            answer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return answer
    except (OSError, ValueError, RecursionError):
        pass
    return {}


def _refuse(answer: Mapping[str, Any]) -> NoReturn:
    if "full" in answer:
        raise UploadError(f"The upload cannot be kept on this server: {answer['full']}.")
    sentence = str(answer.get("refusal") or "The upload is damaged or not what its name says.")
    if len(sentence) > LONGEST_REFUSAL:
        sentence = f"{sentence[:LONGEST_REFUSAL].rstrip('. ')} …."
    raise UploadError(" ".join(sentence.split()))


def _ask(order: Mapping[str, Any]) -> dict[str, Any]:
    for _ in range(2):
        with _starting:
            server = _server()
        if (end := server.ask(order)) is not None:
            return end
        # The server process was killed, perhaps with all that its machine had no memory for.
    return {"end": "killed"}


class _Server:
    """The server process: reads orders as lines, and writes a line when one has ended."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._numbers = count()
        self._lock = threading.Lock()
        self._over = False
        self._waiting: dict[int, SimpleQueue[dict[str, Any] | None]] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{_PACKAGE}.sandbox_child"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=_ROOT, env=os.environ | _ENVIRONMENT, text=True, bufsize=1,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True, name="reading").start()

    @property
    def alive(self) -> bool:
        """Whether it takes orders from this process."""
        return self.owner == os.getpid() and not self._over and self._process.poll() is None

    def ask(self, order: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return how the job ended; None if the server process ended before it."""
        assert self._process.stdin is not None
        number, heard = next(self._numbers), SimpleQueue[dict[str, Any] | None]()
        try:
            with self._lock:
                if self._over:
                    return None
                self._waiting[number] = heard
                self._process.stdin.write(json.dumps({**order, "number": number}) + "\n")
            # The server process ends jobs that are late; one that is stuck itself is replaced.
            return heard.get(timeout=order["patience"] + 10)
        except Empty:
            self.close()
            return {"end": "late"}
        except (OSError, ValueError):
            return None
        finally:
            self._waiting.pop(number, None)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                end = json.loads(line)
                if (heard := self._waiting.get(end["number"])) is not None:
                    heard.put(end)
        except ValueError:
            pass  # Half a line of a process that was killed, or its stream closed.
        with self._lock:
            self._over = True
            for heard in list(self._waiting.values()):
                heard.put(None)

    def close(self) -> None:
        """End the process; its children end with it."""
        if self.owner != os.getpid():
            return
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # What was not written yet has nobody to read it.
                    continue


_starting = threading.Lock()
_servers: list[_Server] = []


def _server() -> _Server:
    if not _servers or not _servers[-1].alive:
        _close()
        _servers.append(_Server())
    return _servers[-1]


def _close() -> None:
    while _servers:
        _servers.pop().close()


atexit.register(_close)
