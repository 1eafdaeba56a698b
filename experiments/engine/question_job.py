"""Questions answered in a worker of the app: the server itself only takes in the answers.

Each kind of question has one function, which gets what was asked as plain data.
"""

from __future__ import annotations

import json
import pickle
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.engine.turns import WATCHED
from experiments.engine.worker_jobs import WorkerLostError

if TYPE_CHECKING:
    from experiments.engine.worker_jobs import WorkerJobs

_TOO_LARGE = "This takes more memory than a worker may have. Fewer samples would fit."


class QuestionJob:
    """One question. What is found goes into a file that only this app's workers write."""

    def __init__(self, answer: Callable[[dict[str, Any]], Any], text: str, folder: Path) -> None:
        self._answer, self._plain = answer, json.loads(text)
        self._file = folder / f"answer-{secrets.token_hex(8)}"
        self._refusal = ""

    def advance(self) -> bool:
        """Answer the question; there is one step."""
        try:
            self._file.write_bytes(pickle.dumps(self._answer(self._plain), pickle.HIGHEST_PROTOCOL))
        except ValueError as refusal:
            self._refusal = str(refusal)
        except MemoryError:
            self._refusal = _TOO_LARGE
        return False

    def answer(self) -> str:
        """Return where the answer is, or why there is none."""
        return json.dumps({"file": str(self._file), "refusal": self._refusal})


def ask(jobs: WorkerJobs, kind: str, question: Mapping[str, Any], *, owner: str, apart: bool = False) -> Any:
    """Return the answer to a question; waits for it. A ValueError says why there is none.

    It has its turns among the runs of the `owner`; one that may take seconds is answered `apart` from runs.
    """
    text = json.dumps(question)

    def answered() -> str:
        return jobs.submit(kind, text, owner=owner, priority=WATCHED, apart=apart).result()

    try:
        reply = json.loads(answered())
    except WorkerLostError:
        reply = json.loads(answered())
    if reply["refusal"]:
        raise ValueError(reply["refusal"])
    file = Path(reply["file"])
    try:
        return pickle.loads(file.read_bytes())
    finally:
        file.unlink(missing_ok=True)
