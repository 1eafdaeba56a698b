"""SPEC: what every method says about itself is complete, and impossible values are refused by name."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf, nan
from typing import Any, get_args

import numpy as np
import pytest

import methods
from methods import Facts, Param, Spec
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, Gift, Need, paper_rank

every = pytest.mark.parametrize("spec", methods.specs().values(), ids=methods.names())
PROBLEMS = [
    Facts(400, 4096, n_labelled=80, n_classes=40, sample_shape=(64, 64)),
    Facts(1797, 64, n_labelled=20, n_classes=10, sample_shape=(8, 8)),
    Facts(150, 4, n_labelled=9, n_classes=3),
]
FITTING = {"n_components", "max_iter", "tol", "init", "random_state", "solver"}


@every
def test_words_are_there(spec: Spec) -> None:
    assert spec.title.strip()
    assert spec.summary.strip().endswith(".")
    assert spec.cost.strip()
    assert spec.references
    assert all(re.search(r"\b(1[89]|20)\d\d\b", reference) for reference in spec.references)


@every
def test_latex_is_balanced(spec: Spec) -> None:
    for formula in (spec.objective, spec.update):
        assert formula.strip()
        assert "$" not in formula, "the page adds the dollar signs"
        bare = formula.replace(r"\{", "").replace(r"\}", "")
        depth = np.cumsum([(letter == "{") - (letter == "}") for letter in bare])
        assert depth[-1] == 0
        assert depth.min() >= 0
        assert len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula))
        assert re.findall(r"\\begin\{(\w+\*?)\}", formula) == re.findall(r"\\end\{(\w+\*?)\}", formula)[::-1]


@every
def test_needs_and_gifts_are_known_and_kept(spec: Spec) -> None:
    assert spec.needs <= set(get_args(Need))
    assert spec.gives <= set(get_args(Gift))
    assert spec.recognition in spec.gives
    for gift in ("transform", "predict"):
        assert (gift in spec.gives) == hasattr(spec.estimator, gift), gift


@every
def test_parameters_explain_themselves(spec: Spec) -> None:
    names = [param.name for param in spec.params]
    assert len(set(names)) == len(names)
    for param in spec.params:
        assert 10 <= len(param.meaning) <= 120, (param.name, len(param.meaning))
        assert param.meaning.strip().endswith((".", "?")), param.name
        assert (param.kind == "choice") == bool(param.choices), param.name
        if param.default is None and param.auto is None and param.kind != "seed":
            assert "empty" in param.meaning, f"{param.name}: say what leaving it empty means"
            assert param.unset in param.meaning, f"{param.name}: say it in a word or two"
            assert param.unset
        param.check(param.default)


@every
def test_numbers_have_a_range_that_makes_sense(spec: Spec) -> None:
    for param in spec.params:
        if param.kind not in ("int", "float"):
            continue
        assert param.low is not None, param.name
        assert param.high is not None, param.name
        assert param.low < param.high, param.name
        assert param.least is None or param.least <= param.low, param.name
        assert param.scale == "linear" or param.low > 0, param.name
        for facts in PROBLEMS:
            value = param.starting_value(facts)
            assert value is None or param.low <= value <= param.high, (param.name, value, facts)
            param.check(value)
        if param.least is not None:
            with pytest.raises(ValueError, match=param.name):
                param.check(param.least - 1)


@every
def test_own_parameters_show_what_the_paper_uses(spec: Spec) -> None:
    own = [param for param in spec.params if param.kind in ("int", "float") and param.name not in FITTING]
    assert not own or any(param.paper for param in own)


@every
def test_every_parameter_is_checked_by_create_and_by_fit(spec: Spec) -> None:
    X, y = np.random.default_rng(0).random((6, 4)), [0, 0, 0, 1, 1, 1]
    for param in spec.params:
        if param.kind in ("int", "float", "flag"):
            for call in (
                lambda name=param.name: methods.create(spec.id, **{name: "seven"}),
                lambda name=param.name: spec.estimator(**{name: "seven"}).fit(X, y),
            ):
                with pytest.raises(ValueError, match=param.name):
                    call()


WEIGHT = Param("weight", "float", 1.0, "A weight.", least=0.0, low=0.1, high=10)
COUNT = Param("count", "int", 3, "A count.", least=1, low=1, high=10)
FLAG = Param("flag", "flag", True, "Yes or no.")


@pytest.mark.parametrize(
    ("param", "value"),
    [
        (WEIGHT, -0.1),
        (WEIGHT, nan),
        (WEIGHT, inf),
        (WEIGHT, "1"),
        (WEIGHT, None),
        (WEIGHT, True),
        (WEIGHT, 1j),
        (WEIGHT, np.ones(2)),
        (COUNT, 0),
        (COUNT, 2.5),
        (COUNT, True),
        (FLAG, 1),
        (FLAG, "yes"),
        (INIT, "svd"),
        (SEED, "abc"),
        (SEED, -1),
        (SEED, 1.5),
        (MAX_ITER, -1),
        (N_COMPONENTS, 0),
    ],
)
def test_impossible_values_are_refused_by_name(param: Param, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{param.name}="):
        param.check(value)


@pytest.mark.parametrize(
    ("param", "value"),
    [
        (WEIGHT, 0),
        (WEIGHT, 1e9),  # beyond the slider, but possible
        (WEIGHT, np.float32(2)),
        (COUNT, np.int64(4)),
        (COUNT, 4.0),
        (FLAG, np.True_),
        (INIT, "nndsvda"),
        (INIT, (np.ones((2, 3)), np.ones((4, 2)))),
        (SEED, None),
        (SEED, 2**32 - 1),
        (SEED, np.random.RandomState(0)),
        (MAX_ITER, 0),
        (N_COMPONENTS, None),
    ],
)
def test_possible_values_are_accepted(param: Param, value: Any) -> None:
    param.check(value)


def test_unknown_parameters_are_answered_with_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"nmf has no parameter 'gamma'.*features, init, loss, max_iter, n_components"
    ):
        methods.create("nmf", gamma=1)


def test_paper_rank_is_the_papers_formula() -> None:
    assert paper_rank(Facts(400, 4096, n_labelled=80)) == 78
    assert paper_rank(Facts(400, 4096)) == 100  # 364 by the formula: bounded
    assert paper_rank(Facts(1, 1)) == 1


@pytest.mark.parametrize(
    ("facts", "rank"),
    [
        (Facts(5, 3), 2),
        (Facts(3, 2), 2),
        (Facts(60, 3, n_labelled=2, n_classes=2), 2),
        (Facts(60, 2), 2),
        (Facts(2, 3), 1),
        (Facts(60, 1), 1),
    ],
)
def test_small_tables_start_from_two_parts_where_there_is_room(facts: Facts, rank: int) -> None:
    assert paper_rank(facts) == rank
    assert methods.spec("semi_nmf").starting_values(facts)["n_components"] == rank


@pytest.mark.parametrize(("samples", "evenness"), [(2000, 1000), (3729, 1900), (300, 150), (9, 4.5)])
def test_what_is_preferred_may_follow_from_the_sizes(samples: int, evenness: float) -> None:
    lam = methods.spec("sulf").param("lam")
    assert (lam.default, lam.starting_value(Facts(samples, 5))) == (1000, evenness)


def test_parameters_that_change_nothing_are_known() -> None:
    spec = methods.spec("kernel_pca")
    for kernel, idle in (("gaussian", "degree"), ("polynomial", "sigma")):
        values = spec.starting_values(PROBLEMS[0]) | {"kernel": kernel}
        assert [param.name for param in spec.params if not param.matters(values)] == [idle]


def test_a_parameter_that_waits_for_what_nobody_can_choose_is_refused() -> None:
    class Method:
        def __init__(self, way: str = "long", weight: float = 1.0) -> None:
            self.way, self.weight = way, weight

    way = Param("way", "choice", "long", "Which way.", choices=("long", "short"))
    for only_if in (("way", "wide"), ("road", "long"), ("weight", "1")):
        with pytest.raises((TypeError, ValueError), match=r"nobody can choose|no parameter 'road'"):
            Spec("m", "M", "f", "s.", "o", "u", ("r",), (way, WEIGHT.but(only_if=only_if)), Method)


def test_a_spec_that_disagrees_with_its_constructor_is_refused() -> None:
    class Method:
        def __init__(self, weight: float = 2.0) -> None:
            self.weight = weight

    def spec(*params: Param) -> Spec:
        return Spec("m", "M", "f", "s.", "o", "u", ("r",), params, Method)

    with pytest.raises(TypeError, match="default of weight differs"):
        spec(WEIGHT)
    with pytest.raises(TypeError, match="describes"):
        spec(WEIGHT.but(default=2.0), COUNT)
    assert spec(WEIGHT.but(default=2.0)).starting_values(PROBLEMS[0]) == {"weight": 2.0}


@pytest.mark.parametrize("spec", methods.specs().values(), ids=lambda spec: spec.id)
def test_the_docstring_of_an_estimator_lists_its_parameters(spec: Spec) -> None:
    text = spec.estimator.__doc__
    assert text.count("Parameters\n----------") == 1
    for param in spec.params:
        assert f"\n{param.name} : " in text
        assert param.meaning in text


def test_a_copy_of_a_spec_does_not_document_its_estimator_twice() -> None:
    before = methods.spec("pca").estimator.__doc__
    replace(methods.spec("pca"), revision=9)
    assert methods.spec("pca").estimator.__doc__ == before
