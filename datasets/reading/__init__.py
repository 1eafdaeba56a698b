"""Reading uploads: every format by one function, bounded before it is decoded, failing in a sentence."""

from datasets.reading.limits import Limits, UploadError
from datasets.reading.reader import CORRECTIONS, read, understand
from datasets.reading.understood import Understood

__all__ = ["CORRECTIONS", "Limits", "Understood", "UploadError", "read", "understand"]
