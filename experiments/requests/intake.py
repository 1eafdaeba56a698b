"""Uploads, for code that builds on experiments: read, stored, and erased again."""

from __future__ import annotations

from datasets import Limits, Understood, UploadError, erase, keep, understand
from datasets.preparation import PREPARATION, looks_like_counts, numbers_of, small_negatives
from datasets.private_folder import close as remove_folder
from datasets.reading import CORRECTIONS, prepare
from datasets.reading.one_picture import LARGEST_MEGABYTES, fitted_picture
from datasets.reading.understood import content_id
from datasets.uploads import is_from_file, is_upload

__all__ = [
    "CORRECTIONS",
    "LARGEST_MEGABYTES",
    "PREPARATION",
    "Limits",
    "Understood",
    "UploadError",
    "content_id",
    "erase",
    "fitted_picture",
    "is_from_file",
    "is_upload",
    "keep",
    "looks_like_counts",
    "numbers_of",
    "prepare",
    "remove_folder",
    "small_negatives",
    "understand",
]
