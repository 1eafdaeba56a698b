"""How things are called and numbers written, the same on every page."""

from __future__ import annotations

from experiments.measures.recognition import Metric
from experiments.requests.corruption import Kind, is_noise
from experiments.requests.library import Dataset

# What a sample is, one and many.
_SAMPLES = {
    "images": ("picture", "pictures"),
    "documents": ("document", "documents"),
    "table": ("sample", "samples"),
}
# The distance by which the nearest sample is found.
METRICS: dict[Metric, str] = {"euclidean": "by difference", "cosine": "by angle"}
# What the first parts of a method like N²S²L are for, and the others.
PART_KINDS = ("U¹: tells classes apart", "U²: helps to rebuild")
_FEATURES = {"images": "pixels", "documents": "words", "table": "features"}


def amount_title(kind: Kind) -> str:
    """Return what the amounts of a kind of corruption are, with their unit."""
    return "noise in percent" if is_noise(kind) else "side of the patch in pixels"


def number(value: float) -> str:
    """Write a number for people: thousands apart, no more digits than are read.

    >>> number(18821).replace("\\xa0", " "), number(0.5), number(1234.5678).replace("\\xa0", " ")
    ('18 821', '0.5', '1 235')
    """
    whole = float(value).is_integer() or abs(value) >= 1000
    text = f"{round(value):,}" if whole else f"{value:.3g}"
    # A space that does not break the line: commas and points mean different things in different countries.
    return text.replace(",", "\u00a0")


def counted(count: int, noun: str, many: str = "") -> str:
    """Write a number of things.

    >>> counted(1, "picture"), counted(2, "class", "classes")
    ('1 picture', '2 classes')
    """
    return f"{number(count)} {noun if count == 1 else many or noun + 's'}"


def kind_of(ds: Dataset) -> str:
    """Return "images", "documents" or "table"; pictures whose shape is not known are a table to the eye."""
    kind = ds.card.kind if ds.card else "table"
    return "table" if kind == "images" and ds.image_shape is None else kind


def sample_words(ds: Dataset) -> tuple[str, str]:
    """Return the words for one sample and for several."""
    return _SAMPLES[kind_of(ds)]


def sample(ds: Dataset) -> str:
    """Return the word for one sample: picture, document, sample."""
    return sample_words(ds)[0]


def samples(ds: Dataset) -> str:
    """Return the word for several samples."""
    return sample_words(ds)[1]


def picture_word(ds: Dataset) -> str:
    """Return the word for one picture: of people face, of anything else picture."""
    return "face" if class_unit(ds) == "person" else "picture"


def features(ds: Dataset) -> str:
    """Return the word for what a sample is described by: pixels, words, features."""
    return _FEATURES[kind_of(ds)]


def class_unit(ds: Dataset) -> str:
    """Return the word for one class: person, digit, class."""
    return ds.card.class_unit if ds.card else "class"


def class_name(ds: Dataset, name: str) -> str:
    """Return what a class is called; a bare number says what it is a number of: digit 1."""
    return f"{class_unit(ds)} {name}" if name.isdecimal() else name


def class_units(ds: Dataset) -> str:
    """Return the word for several classes."""
    return ds.card.class_units if ds.card else "classes"
