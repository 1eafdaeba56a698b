"""The names of the jobs that the app's workers do beside runs."""

from __future__ import annotations

CHAIN = "chain"
