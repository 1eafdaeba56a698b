"""What a method says about itself: menus, sliders, help, tests and the handbook are made from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from methods.memory import Memory, factors
from methods.param_values import check_number, check_seed, check_shape
from methods.scaling import MANY, measured, sentence

Kind = Literal["int", "float", "choice", "flag", "seed", "shape"]
Need = Literal["labels", "pairs", "views", "tensor", "nonnegative", "holes", "parts"]
Gift = Literal["components", "embedding", "transform", "predict", "objective"]


@dataclass(frozen=True)
class Facts:
    """The sizes of a problem, from which automatic parameter values follow.

    `n_parts` is how many parts the data are made of, 0 where nobody knows. `n_stored` is how many entries of
    sparse data are not zero, None for dense data.
    """

    n_samples: int
    n_features: int
    n_labelled: int = 0
    n_classes: int = 0
    sample_shape: tuple[int, ...] | None = None
    n_parts: int = 0
    n_stored: int | None = None


@dataclass(frozen=True)
class Param:
    """One constructor parameter: its range, its meaning, and the value its paper uses.

    A parameter with `auto` may be None: the estimator then takes the value that `auto` works
    out from the sizes of the problem, and controls show that value as their starting point.
    `low` and `high` are the ends of a slider; `least` is the smallest value that makes sense.
    `preferred` is what controls start from where that is not the constructor's default, which
    stays what the paper says; a function works it out from the sizes of the problem. `unset` is
    what None stands for where there is no `auto`; `only_if` is the name and the value of a choice
    without which the parameter changes nothing.
    """

    name: str
    kind: Kind
    default: Any
    meaning: str
    symbol: str = ""
    least: float | None = None
    low: float | None = None
    high: float | None = None
    scale: Literal["linear", "log"] = "linear"
    choices: tuple[str, ...] = ()
    paper: str = ""
    advanced: bool = False
    auto: Callable[[Facts], Any] | None = None
    preferred: Any = None
    words: str = ""
    unset: str = ""
    only_if: tuple[str, str] | None = None

    def starting_value(self, facts: Facts) -> Any:
        """Return the value a control starts from for a problem of these sizes."""
        if self.preferred is not None:
            return self.preferred(facts) if callable(self.preferred) else self.preferred
        return self.auto(facts) if self.default is None and self.auto else self.default

    @property
    def label(self) -> str:
        """The name of the parameter for people, its symbol in brackets."""
        words = self.words or self.name.removeprefix("n_").replace("_", " ").capitalize()
        return f"{words} ({self.symbol})" if self.symbol else words

    def matters(self, values: Mapping[str, Any]) -> bool:
        """Return whether the parameter changes anything beside these values of the others."""
        return self.only_if is None or values[self.only_if[0]] == self.only_if[1]

    def but(self, **changes: Any) -> Param:
        """Return this parameter with some fields changed."""
        return replace(self, **changes)

    def documented(self) -> str:
        """Return the entry of the parameter in a docstring.

        >>> print(Param("p", "int", 3, "How many neighbours.", least=1).documented())
        p : int, 3 by default
            How many neighbours. At least 1.
        """
        kinds = {"choice": " | ".join(map(repr, self.choices)), "flag": "bool", "seed": "int, RandomState"}
        kind = kinds.get(self.kind, self.kind)
        least = "" if self.least is None else f" At least {self.least:g}."
        paper = f" In the paper: {self.paper}." if self.paper else ""
        return f"{self.name} : {kind}, {self.default!r} by default\n    {self.meaning}{least}{paper}"

    def check(self, value: Any) -> None:
        """Raise a ValueError that names the parameter if `value` is outside what it accepts."""
        if value is None and (self.auto is not None or self.default is None):
            return
        if self.kind == "choice":
            # What is not text is an explicit object (arrays to start from), checked where it is used.
            if isinstance(value, str) and value not in self.choices:
                raise ValueError(
                    f"{self.name}={value!r} is not known: choose from {', '.join(self.choices)}."
                )
        elif self.kind == "flag":
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"{self.name}={value!r} must be True or False.")
        elif self.kind == "seed":
            check_seed(self.name, value)
        elif self.kind == "shape":
            check_shape(self.name, value)
        else:
            check_number(self.name, value, self.least, whole=self.kind == "int")


@dataclass(frozen=True)
class Spec:
    """Everything the rest of Partwise knows about a method.

    `needs` is what it cannot do without, `takes` what it makes use of if there is any. "holes" are entries
    of X that are unknown (NaN) or count less than others (`mask`), "parts" such as stay (`fixed`). It is
    `linear` if a sample is rebuilt as the sum of its parts as they are drawn, and not after a bend of space.
    It `projects` if the features of a sample are its coordinates along directions. `revision` is raised when
    the same request begins to give other numbers: results kept before are then not used any more. `memory`
    estimates the bytes that a fit takes. A method that compares every two samples names with `instead` one
    for the same purpose that need not.
    """

    id: str
    title: str
    family: str
    summary: str
    objective: str
    update: str
    references: tuple[str, ...]
    params: tuple[Param, ...]
    estimator: type[Any]
    needs: frozenset[Need] = frozenset()
    takes: frozenset[Need] = frozenset()
    gives: frozenset[Gift] = frozenset({"components", "embedding", "transform", "objective"})
    monotone: bool = False
    signed: bool = False
    linear: bool = True
    projects: bool = False
    cost: str = ""
    memory: Memory = factors
    instead: str = ""
    corrections: str = ""
    recognition: Literal["transform", "embedding", "predict"] = "transform"
    expected_failed_checks: Mapping[str, str] = field(default_factory=dict)
    revision: int = 1

    def __post_init__(self) -> None:
        signature = inspect.signature(self.estimator).parameters
        described = {param.name for param in self.params}
        if described != set(signature):
            raise TypeError(
                f"{self.id}: SPEC describes {sorted(described)}, the constructor takes {sorted(signature)}"
            )
        for param in self.params:
            if signature[param.name].default != param.default:
                raise TypeError(f"{self.id}: default of {param.name} differs between SPEC and constructor")
            if param.only_if and param.only_if[1] not in self.param(param.only_if[0]).choices:
                raise TypeError(f"{self.id}: {param.name} waits for {param.only_if}, which nobody can choose")
        self._document()

    def _document(self) -> None:
        """Let the docstring of the estimator list its parameters, in numpydoc's form."""
        text = vars(self.estimator).get("__doc__")
        if text is not None:  # Python run with -OO has none.
            entries = (param.documented() for param in self.params)
            # A copy with another revision documents the same estimator again.
            before = inspect.cleandoc(text).partition("\n\nParameters\n----------")[0]
            lines = (before, "", "Parameters", "----------", *entries)
            self.estimator.__doc__ = "\n".join(lines)

    @property
    def in_seconds(self) -> str:
        """What a run takes, and what many samples would, as it was measured; nothing if it was not."""
        cost = measured(self.id)
        if cost is None:
            return ""
        many = Facts(MANY, int(cost["features"]), n_labelled=100, n_classes=10)
        params = self.starting_values(many)
        # What compares every two samples has a cubic part, which few samples hardly show.
        growth = 2.5 if self.instead else 1.0
        counted = "" if self.is_closed(params) else "100 iterations"
        return sentence(cost, self.memory(many, params), growth=growth, counted=counted)

    def has(self, name: str) -> bool:
        """Return whether there is a parameter called `name`."""
        return any(param.name == name for param in self.params)

    @property
    def weighs_parts(self) -> bool:
        """Whether features of new rows are the weights of its parts, for which there are several rules."""
        return self.has("features") and "robust" in self.param("features").choices

    @property
    def projects_between_classes(self) -> bool:
        """Whether its components are directions between classes: there are fewer of those than classes."""
        return self.projects and "labels" in self.needs

    def param(self, name: str) -> Param:
        """Return the parameter called `name`."""
        for param in self.params:
            if param.name == name:
                return param
        accepted = ", ".join(sorted(param.name for param in self.params))
        raise ValueError(f"{self.id} has no parameter {name!r}. It takes: {accepted}.")

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise a ValueError that names the first parameter that is unknown or out of range."""
        for name, value in values.items():
            self.param(name).check(value)

    def is_closed(self, params: Mapping[str, Any]) -> bool:
        """Return whether the method, with these parameters, is solved at once instead of nearing a solution.

        What it shows are then stages of a solution that is known from the start.
        """
        described = {param.name: param.default for param in self.params}
        return "max_iter" not in described or params.get("solver", described.get("solver")) == "exact"

    def starting_values(self, facts: Facts) -> dict[str, Any]:
        """Return the values that controls start from, for a problem of these sizes."""
        return {param.name: param.starting_value(facts) for param in self.params if param.kind != "seed"}


def paper_rank(facts: Facts) -> int:
    """Return k = ⌊N m / (N + m)⌋, N counting labelled samples when there are any, at most 100.

    Where the true number of parts is known, that is what one wants to see first. A single part has no map
    and nothing to compare it with: there are two wherever the data leave room for them.

    >>> paper_rank(Facts(n_samples=256, n_features=1024)), paper_rank(Facts(256, 1024, n_parts=17))
    (100, 17)
    >>> paper_rank(Facts(n_samples=5, n_features=3)), paper_rank(Facts(2, 3))
    (2, 1)
    """
    if facts.n_parts:
        return min(facts.n_parts, facts.n_features)
    n = facts.n_labelled or facts.n_samples
    least = 2 if facts.n_features >= 2 and facts.n_samples >= 3 else 1
    return max(least, min(100, n * facts.n_features // (n + facts.n_features)))


N_COMPONENTS = Param(
    "n_components",
    "int",
    None,
    "How many parts the data are taken apart into.",
    symbol="k",
    least=1,
    low=1,
    high=200,
    paper="⌊N·m/(N+m)⌋ for N labelled samples of m features",
    auto=paper_rank,
    words="Parts",
)
MAX_ITER = Param(
    "max_iter",
    "int",
    500,
    "The run ends after this many iterations if it has not settled before.",
    least=0,
    low=10,
    high=5000,
    scale="log",
    words="Most iterations",
)
TOL = Param(
    "tol",
    "float",
    1e-6,
    "The run ends when an iteration lowers the objective by less than this fraction, on average over ten.",
    least=0.0,
    low=1e-9,
    high=1e-2,
    scale="log",
    advanced=True,
    words="Tolerance",
)
INIT = Param(
    "init",
    "choice",
    "random",
    "Where the run starts: scaled random numbers, or the non-negative side of an SVD.",
    choices=("random", "nndsvda"),
    advanced=True,
    words="Start",
)
CLUSTER_INIT = INIT.but(
    default="kmeans",
    meaning="Where the run starts: k-means clusters blurred by 0.2, or random coefficients.",
    choices=("kmeans", "random"),
    paper="kmeans",
)
SOLVER = Param(
    "solver",
    "choice",
    "multiplicative",
    "The published update, or ours: same objective and resting points, in a fraction of the time.",
    choices=("multiplicative", "accelerated"),
    paper="multiplicative",
    preferred="accelerated",
)
SEED = Param("random_state", "seed", None, "Seed of the random start.")
