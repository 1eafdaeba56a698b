"""A connection to PostgreSQL that waits for an answer for a limited time only.

A statement timeout is kept by the server: one that has been stopped, or a machine that has gone, keeps none.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

ANSWER_SECONDS = 5.0


class ImpatientConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server does not answer."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for the answer to what has been sent, `ANSWER_SECONDS` at most."""
        try:
            return super().wait(gen, interval, timeout or ANSWER_SECONDS)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()  # Half an answer may still come: nothing more can be asked here.
            raise
