"""A process that carries out runs: `python -m experiments.engine.worker FOLDER`.

Commands come as lines of JSON on standard input, news leaves as lines of JSON on standard output, curves
and arrays through a `channel` file. When standard input closes the server is gone: the worker removes the
folder and ends. With `--template` instead of a folder it is a template, from which workers are forked.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.engine.job_task import JobKinds
from experiments.engine.memory import limit_memory, share_heaps
from experiments.engine.preloading import load
from experiments.engine.priority import leave_session, lower_priority
from experiments.engine.task import Outbox
from experiments.engine.template_process import become_worker
from experiments.engine.worker_loop import Worker
from experiments.engine.worker_template import AS_TEMPLATE
from experiments.requests.memory import allowed_bytes


def main(kinds: JobKinds | None = None, modules: Sequence[str] = ()) -> None:
    """Serve until the server goes away; `kinds` are the jobs that can be done beside runs.

    As a template, load the `modules` that jobs need, fork workers and be one in each of them.
    """
    logging.basicConfig(level=logging.WARNING, format="worker: %(message)s")
    lower_priority()
    share_heaps()
    # Ctrl-C in a terminal reaches every process of the server; the server says when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    forked = sys.argv[1] == AS_TEMPLATE
    folder = become_worker(load(modules)) if forked else Path(sys.argv[1])
    leave_session()
    limit_memory(allowed_bytes())
    # Whatever prints by accident must not mix with the news: standard output becomes standard error.
    outbox = Outbox(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    Worker(folder, sys.stdin, outbox, kinds or {}).serve()


if __name__ == "__main__":
    main()
