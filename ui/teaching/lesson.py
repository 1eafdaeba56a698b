"""What a lesson is: steps on real pages, each with a prediction, something to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ui.teaching.evidence import Evidence

# More than this nobody reads beside a picture.
MOST_WORDS = 60
# Of 100: what a hand that draws does not mean.
_LEVEL = 15
# The nine places of a picture, row by row.
PLACES = (
    "top left", "top centre", "top right", "middle left", "the middle", "middle right",
    "bottom left", "bottom centre", "bottom right",
)  # fmt: skip
Group = Literal["see", "use", "doubt"]
GROUPS: dict[Group, str] = {"see": "See", "use": "Use", "doubt": "Doubt"}


@dataclass(frozen=True)
class OneOf:
    """A prediction: one of a few answers."""

    question: str
    options: tuple[str, ...]
    answer: str

    def __post_init__(self) -> None:
        """Refuse an answer that nobody can choose."""
        if self.answer not in self.options:
            raise ValueError(f"The answer {self.answer!r} is not among the options of {self.question!r}.")

    def is_right(self, guess: Any) -> bool:
        """Return whether a prediction comes true."""
        return bool(guess == self.answer)

    def in_words(self, guess: Any) -> str:
        """Return a prediction as a visitor reads it."""
        return str(guess)


@dataclass(frozen=True)
class Amount:
    """A prediction: a number on a slider; it comes true if it is at most `within` away."""

    question: str
    low: int
    high: int
    answer: int
    within: int
    unit: str = "%"

    def is_right(self, guess: Any) -> bool:
        """Return whether a prediction comes true."""
        return abs(int(guess) - self.answer) <= self.within

    def in_words(self, guess: Any) -> str:
        """Return a prediction as a visitor reads it."""
        return f"{guess} {self.unit}".strip()


@dataclass(frozen=True)
class Sketch:
    """A prediction: a curve drawn by hand over `places`; it comes true if it goes the way that `truth` goes.

    Heights are whole numbers from 0 to 100. `axes` say what lies upwards and to the right.
    """

    question: str
    axes: tuple[str, str]
    places: tuple[str, ...]
    truth: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse a truth that has not a height for each place."""
        if len(self.truth) != len(self.places):
            raise ValueError(f"{self.question!r} has {len(self.places)} places, its truth {len(self.truth)}.")

    def is_right(self, guess: Any) -> bool:
        """Return whether a prediction comes true."""
        return way(guess) == way(self.truth)

    def in_words(self, guess: Any) -> str:
        """Return a prediction as a visitor reads it."""
        return f"it {way(guess)}"


@dataclass(frozen=True)
class Spot:
    """A prediction: a click on one of nine places of a sample's picture; true are those in `answer`.

    `title` says what the picture is, `data` and `options` which samples, `row` which of them.
    """

    question: str
    title: str
    data: str
    options: Mapping[str, Any]
    row: int
    answer: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse an answer that nobody can click on."""
        if not self.answer or not set(self.answer) <= set(PLACES):
            raise ValueError(f"The places of {self.question!r} are {', '.join(PLACES)}; not {self.answer}.")

    def is_right(self, guess: Any) -> bool:
        """Return whether a prediction comes true."""
        return guess in self.answer

    def in_words(self, guess: Any) -> str:
        """Return a prediction as a visitor reads it."""
        return str(guess)


def way(heights: Sequence[int]) -> str:
    """Return how a curve goes on the whole.

    >>> way([90, 40, 35]), way([10, 30, 80]), way([50, 52, 49]), way([20, 80, 30])
    ('falls', 'rises', 'stays level', 'rises and falls')
    """
    first, last, most, least = heights[0], heights[-1], max(heights), min(heights)
    if most - least < _LEVEL:
        return "stays level"
    if most - max(first, last) >= _LEVEL:
        return "rises and falls"
    if min(first, last) - least >= _LEVEL:
        return "falls and rises"
    return "falls" if last < first else "rises"


Prediction = OneOf | Amount | Sketch | Spot


@dataclass(frozen=True)
class LessonStep:
    """One step: where it happens and what is chosen there, what to predict and do, what that shows.

    `choices` are set as the address would set them. `hide` names controls that would only distract, `frame`
    those (or components) that the step is about. `done` says, of what really happened since the step was
    opened, whether it has been done; `reveal` is read only then. `sidebar` has what `do` asks to be chosen
    in the sidebar: embedded and on a telephone, where nobody sees that, the guide offers it as a button.
    """

    page: str
    say: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    predict: Prediction | None = None
    do: str = ""
    done: Callable[[Evidence], bool] | None = None
    reveal: str = ""
    frame: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    sidebar: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse more words than anybody reads, and what cannot be done or seen."""
        for words in (f"{self.say} {self.do}", self.reveal):
            if len(words.split()) > MOST_WORDS:
                raise ValueError(f"A step says at most {MOST_WORDS} words at a time: {words[:60]!r} …")
        if bool(self.do) != (self.done is not None):
            raise ValueError(f"What is to be done must be noticed when it is done: {self.say[:60]!r} …")


@dataclass(frozen=True)
class Lesson:
    """A question and the steps that answer it; `afterwards` is what one can then say.

    `ask` and `belief` are for teachers: what to ask a class, and what most of it thinks. The `opening` one
    stands before the others of its group; these go from the shortest to the longest.
    """

    id: str
    title: str
    group: Group
    level: str
    minutes: int
    afterwards: str
    ask: str
    belief: str
    steps: tuple[LessonStep, ...]
    formula: str = ""
    opening: bool = False

    def choices_of(self, number: int) -> dict[str, Any]:
        """Return everything that is chosen when the step is opened by itself: what all before it set, too."""
        chosen: dict[str, Any] = {}
        for step in self.steps[: number + 1]:
            chosen |= step.choices
        return chosen
