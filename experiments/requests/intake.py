"""Uploads, for code that builds on experiments: read, stored, and erased again."""

from __future__ import annotations

from datasets import Limits, Understood, UploadError, erase, keep, understand
from datasets.reading import CORRECTIONS, prepare
from datasets.reading.one_picture import LARGEST_MEGABYTES, fitted_picture
from datasets.uploads import is_upload

__all__ = [
    "CORRECTIONS",
    "LARGEST_MEGABYTES",
    "Limits",
    "Understood",
    "UploadError",
    "erase",
    "fitted_picture",
    "is_upload",
    "keep",
    "prepare",
    "understand",
]
