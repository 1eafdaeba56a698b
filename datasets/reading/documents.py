"""Texts to sparse word weights, one view for each column of texts; or .txt files, one document each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from datasets.languages import languages_of
from datasets.reading.draft import Draft, LabelColumn, plain
from datasets.reading.labels import folder_labels
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import File
from datasets.schema import OptionValue
from datasets.text import TEXT_OPTIONS, text_views

# A word must occur in one of so many documents; the catalogue's five would leave small collections empty.
DOCUMENTS_A_WORD = 50
# Three novels. The words of a text are looked for in one piece, during which nothing else can happen.
LONGEST_TEXT = 2_000_000


def text_options(corrections: Mapping[str, object], documents: int) -> dict[str, OptionValue]:
    """Return the options for weighing words: checked corrections, and defaults for that many documents."""
    defaults: dict[str, OptionValue] = {option.name: option.default for option in TEXT_OPTIONS}
    defaults["min_df"] = max(1, min(5, documents // DOCUMENTS_A_WORD))
    defaults["max_df"] = 0.5 if documents >= 2 * DOCUMENTS_A_WORD else 1.0
    return {
        option.name: option.check(corrections.get(option.name, defaults[option.name]))
        for option in TEXT_OPTIONS
    }


def read_text_files(
    files: Iterable[File], limits: Limits, label: object, options: Mapping[str, object]
) -> Draft:
    """Read .txt files, one document each; the class is the folder."""
    if label not in (None, False, "folder"):
        raise UploadError(f"label must be 'folder' for .txt files, not {label!r}.")
    texts, names, left_out = [], [], []
    for file in files:
        text = file.data.decode("utf-8-sig", "replace")
        if "\0" in text or not text.strip():
            left_out.append(f"{plain(file.name)} ({'no text in it' if text.strip() else 'empty'})")
            continue
        texts.append(text)
        names.append(file.name)
    if not texts:
        raise UploadError("None of the .txt files holds text; one document a file is accepted.")
    labels = folder_labels(names) if label is not False else None
    draft = read_documents({"words": texts}, labels, "text files", limits, options)
    draft.sample_names = tuple(plain(name) for name in names)
    draft.left_out += left_out
    draft.label_choices, draft.corrections = ("folder",), ("label",)
    return draft


def read_documents(
    columns: dict[str, Sequence[str]],
    labels: LabelColumn | None,
    format: str,
    limits: Limits,
    options: Mapping[str, object],
) -> Draft:
    """Weigh the words of each column of texts by TF-IDF, as the catalogue's documents are."""
    documents = len(next(iter(columns.values())))
    too_long = sum(len(text) > LONGEST_TEXT for texts in columns.values() for text in texts)
    columns = {name: [text[:LONGEST_TEXT] for text in texts] for name, texts in columns.items()}
    # A word has two letters and a mark after it, so a text holds at most a third as many as letters.
    words = sum(len(text) // 3 for texts in columns.values() for text in texts)
    limits.check_matrix("The text", documents, 1, words)
    languages = languages_of(columns)
    try:
        made = text_views(columns, text_options(options, documents), languages=languages)
    except ValueError as error:
        raise UploadError(f"The text cannot be used: {error}.") from error
    draft = Draft(format, "documents", labels=labels, languages=languages, **made)
    if too_long:
        draft.notes.append(f"Texts of more than {LONGEST_TEXT} letters are cut there: {too_long} of them.")
    return draft
