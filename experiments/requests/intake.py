"""What visitors hand over, for those who build on experiments: read, kept while it is wanted, erased."""

from __future__ import annotations

from datasets import Limits, Understood, UploadError, erase, keep, understand
from datasets.reading import CORRECTIONS, prepare
from datasets.uploads import is_upload

__all__ = [
    "CORRECTIONS",
    "Limits",
    "Understood",
    "UploadError",
    "erase",
    "is_upload",
    "keep",
    "prepare",
    "understand",
]
