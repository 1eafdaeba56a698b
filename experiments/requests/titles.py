"""What a sample is called where it is listed."""

from __future__ import annotations

from datasets import Dataset


def sample_title(ds: Dataset, row: int, *, longest: int = 70, unnamed: str = "No.") -> str:
    """Return the name of a sample, else how its text begins, else its number after the word for it."""
    if ds.sample_names is not None and ds.sample_names[row].strip():
        return _shortened(ds.sample_names[row], longest)
    for texts in ds.texts.values():
        if texts[row].strip():
            return _shortened(texts[row], longest)
    return f"{unnamed} {row + 1}"


def _shortened(text: str, longest: int) -> str:
    # A long text need not be split as a whole to see how it begins.
    line = " ".join(text[: 4 * longest].split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
