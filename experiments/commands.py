"""How commands end, and the name they go by where nobody has installed one: there before all is loaded."""

from __future__ import annotations

PROGRAM = "python -m experiments"
OK, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
