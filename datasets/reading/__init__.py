"""Reading uploads: every format by one function, bounded before it is decoded, failing in a sentence.

Foreign bytes are decoded in a limited process (`sandbox`), never in the one that was handed them.
"""

from datasets.reading.handing_over import read, understand
from datasets.reading.limits import Limits, UploadError
from datasets.reading.reader import CORRECTIONS
from datasets.reading.sandbox import prepare
from datasets.reading.understood import Understood

__all__ = ["CORRECTIONS", "Limits", "Understood", "UploadError", "prepare", "read", "understand"]
