"""From a draft to a data set: pictures recognised and turned, and all that was understood said in words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.dataset import SPLIT_PARTS, Dataset
from datasets.image_views import ALL_VIEWS, image_views, room_needed
from datasets.languages import LANGUAGES
from datasets.reading.draft import Draft, plain, some
from datasets.reading.labels import of_samples, without
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import File
from datasets.schema import Card, OptionValue

# The full length of a list in the preview; what is left out beyond it is counted.
LISTED = 8


@dataclass(frozen=True)
class Understood:
    """An upload and what was made of it, for the preview.

    Attributes
    ----------
    dataset : Dataset
        The data, ready for use.
    sentences : tuple of str
        What was understood, in plain text, one thought each.
    left_out : tuple of str
        Parts of the upload that are not used, each with the reason.
    label_choices, view_choices : tuple of str
        What the corrections `label` and `views` accept for this upload.
    corrections : tuple of str
        Those that can change anything here, but for the options of documents.
    orientation : str
        For pictures: how their pixels were stored, and whether that is a guess; otherwise empty.
    pixels : str
        The same in a word, as the correction `pixels` takes it: "rows", "columns", or nothing.
    unsure : bool
        Whether that is a guess, so that somebody should look at the pictures and say.
    stored_shape : (height, width) or None
        Of the pictures before they were made smaller.
    """

    dataset: Dataset
    sentences: tuple[str, ...]
    left_out: tuple[str, ...]
    label_choices: tuple[str, ...]
    view_choices: tuple[str, ...]
    corrections: tuple[str, ...]
    orientation: str
    pixels: str = ""
    unsure: bool = False
    stored_shape: tuple[int, int] | None = None

    @property
    def summary(self) -> str:
        """All sentences in one text."""
        return " ".join(self.sentences)


def make_image_views(draft: Draft, limits: Limits) -> None:
    """Add the textures and the edges of pictures as views."""
    pixels = next(iter(draft.views.values()))
    room = (
        room_needed(pixels.shape[0], draft.image_shape) if draft.image_shape and len(draft.views) == 1 else 0
    )
    if draft.image_shape is None or not room:
        raise UploadError(f"views={ALL_VIEWS!r} is for pictures that are seen in one way so far.")
    if room > limits.cells:
        raise UploadError(
            f"With textures and edges the pictures would hold {room} numbers; at most {limits.cells} are "
            "accepted, so make them smaller or take fewer."
        )
    draft.views = dict(image_views(np.asarray(pixels), draft.image_shape, ALL_VIEWS))


def finish(draft: Draft, files: Sequence[File], options: Mapping[str, Any]) -> Understood:
    """Return the data set of a draft, with the sentences and choices shown in the preview."""
    corrections, unknown = _as_options(options), options.get("unknown")
    if unknown is not None and draft.labels is not None:
        draft.labels = without(draft.labels, unknown)
    labels = draft.labels
    if labels is not None:
        draft.labels = labels = of_samples(labels) if (labels.codes >= 0).any() else None
    title = plain(files[0].name, "upload") if len(files) == 1 else f"{len(files)} files"
    sentences = tuple(_sentences(draft, title))
    held = tuple((plain(file.name, "upload"), file.sha256) for file in files)
    reading = {name: plain_value(value) for name, value in sorted(options.items())}
    key = content_id(held, reading)
    card = Card(
        id=key,
        title=title,
        summary=" ".join(sentences),
        kind=draft.kind,
        source=f"Handed over by you: {title}.",
        licence="Not known here: whatever came with the file.",
        credit="",
        languages=draft.languages,
    )
    dataset = Dataset(
        id=key,
        title=title,
        views=draft.views,
        y=None if labels is None else labels.codes,
        target_names=() if labels is None else labels.names,
        image_shape=draft.image_shape,
        feature_names=draft.feature_names,
        options=corrections,
        card=card,
        view_features=draft.view_features,
        texts=draft.texts,
        sample_names=draft.sample_names,
        reading=reading,
        files=held,
        given=draft.given,
    )
    return Understood(
        dataset=dataset,
        sentences=sentences,
        left_out=tuple(draft.left_out),
        label_choices=draft.label_choices,
        view_choices=draft.view_choices,
        corrections=_corrections(draft, had_labels=labels is not None or unknown is not None),
        orientation=draft.orientation,
        pixels=draft.pixels,
        unsure=draft.unsure,
    )


def _as_options(options: Mapping[str, Any]) -> dict[str, OptionValue]:
    plain_types = (bool, int, float, str)
    return {
        name: value if isinstance(value, plain_types) else ", ".join(map(str, value))
        for name, value in sorted(options.items())
    }


def plain_value(value: Any) -> Any:
    """Return a correction as text, numbers and lists, which can be written down and read again."""
    if isinstance(value, np.generic):
        return value.item()
    return [plain_value(entry) for entry in value] if isinstance(value, list | tuple) else value


def _corrections(draft: Draft, *, had_labels: bool) -> tuple[str, ...]:
    """Return the corrections that can change anything: those its reader heeds, and those for everybody."""
    more = ["unknown"] if had_labels else []
    first = next(iter(draft.views.values()))
    if isinstance(first, np.ndarray) and not draft.texts:
        if "size" not in draft.corrections:
            more.append("image_shape")
        if draft.image_shape is not None:
            more.append("flip")
            if draft.pixels:
                more.append("pixels")
            if "size" not in draft.corrections:
                more.append("size")
    more.append("samples")
    return (*draft.corrections, *more)


def content_id(files: Sequence[tuple[str, str]], reading: Mapping[str, Any], owner: str = "") -> str:
    """Return an id that is the same for the same content (name and SHA-256 a file) read in the same way.

    One file may be called anything: only the ending of its name says how it is read. With an `owner`, a
    secret that only the owner has, nobody else can guess it.
    """
    digest = hashlib.sha256(repr(sorted(_as_options(reading).items())).encode())
    for name, sha256 in files:
        named = name if len(files) > 1 else File(name, b"").ending
        digest.update(f"{named}\0{sha256}\0".encode("utf-8", "replace"))
    if owner:
        digest.update(f"of {owner}".encode())
    return f"upload-{digest.hexdigest()[:32]}"


def _sentences(draft: Draft, title: str) -> list[str]:
    """Return sentences that describe the upload, in plain text."""
    samples, features = next(iter(draft.views.values())).shape
    sentences = [
        f"{title}: {draft.format}, {_count(samples, 'sample')} of {_count(features, _unit(draft))} each."
    ]
    if draft.image_shape is not None:
        height, width = draft.image_shape
        sentences.append(f"Pictures {height} high and {width} wide, {draft.orientation}.")
    if len(draft.views) > 1:
        sizes = [f"{name} ({view.shape[1]})" for name, view in draft.views.items()]
        sentences.append(f"{len(sizes)} views: {some(sizes, LISTED)}.")
    sentences += [_language_sentence(draft)] if draft.languages else []
    sentences.append(_label_sentence(draft))
    if draft.given is not None:
        counts = np.bincount(draft.given, minlength=len(SPLIT_PARTS))
        parts = ", ".join(f"{count} {name}" for name, count in zip(SPLIT_PARTS, counts, strict=True) if count)
        sentences.append(f"The file comes with a split: {parts}.")
    low = min(float(view.min()) for view in draft.views.values())
    if low < 0 and draft.kind != "images":
        sentences.append(
            "Some values are negative; they were kept, and methods for non-negative data refuse them."
        )
    sentences += draft.notes
    if draft.left_out:
        sentences.append(f"Left out: {some(draft.left_out, LISTED)}.")
    return sentences


def _language_sentence(draft: Draft) -> str:
    if len(draft.views) == 1:
        return f"The words are {LANGUAGES[draft.languages[0][1]]}."
    descriptions = [f"{view} is {LANGUAGES[language]}" for view, language in draft.languages]
    return f"By the words, {some(descriptions, LISTED)}."


def _unit(draft: Draft) -> str:
    return {"images": "pixel", "documents": "word", "table": "feature"}[draft.kind]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _label_sentence(draft: Draft) -> str:
    labels = draft.labels
    if labels is None:
        return "No labels were found." if not draft.label_choices else "No labels are used."
    n_labelled = int((labels.codes >= 0).sum())
    share = (
        "all samples labelled"
        if n_labelled == len(labels.codes)
        else f"{n_labelled} of {len(labels.codes)} labelled"
    )
    classes = "1 class" if len(labels.names) == 1 else f"{len(labels.names)} classes"
    how = f", {labels.written}" if labels.written else ""
    return f"{classes} ({some(labels.names)}){how}; {share}."
