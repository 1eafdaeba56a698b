"""Options and cards: what is accepted, and errors that name what is not."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import Card, Option

SIZE = Option("size", "int", 64, low=8, high=112)
NOISE = Option("noise", "float", 0.1, low=0.0)
LIMB = Option("limb", "choice", "arm", choices=("arm", "leg"))
TORSO = Option("torso", "bool", True)


def make_card(*options: Option) -> Card:
    return Card("toy", "Toy", "A toy.", "table", "here", "none", "nobody", options=options)


@given(st.integers())
def test_an_integer_is_accepted_exactly_in_its_range(value: int) -> None:
    if 8 <= value <= 112:
        assert SIZE.check(value) == value
    else:
        with pytest.raises(ValueError, match=r"^size must be an integer from 8 to 112, not"):
            SIZE.check(value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (SIZE, True),
        (SIZE, 64.0),
        (SIZE, "64"),
        (NOISE, -0.1),
        (NOISE, float("nan")),
        (NOISE, float("inf")),
        (NOISE, True),
        (LIMB, "tail"),
        (LIMB, 0),
        (TORSO, 1),
        (TORSO, "yes"),
    ],
)
def test_a_wrong_value_is_refused_by_name_with_what_is_accepted(option: Option, value: object) -> None:
    message = f"{option.name} must be {option.accepts}, not {value!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        option.check(value)


def test_accepted_values_become_plain_python() -> None:
    assert type(SIZE.check(np.int64(9))) is int
    assert type(NOISE.check(np.float32(0.5))) is float
    assert type(NOISE.check(1)) is float
    assert LIMB.check("leg") == "leg"
    assert TORSO.check(False) is False


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (Option("n", "int", 1), "an integer"),
        (Option("n", "int", 1, low=0), "an integer of at least 0"),
        (Option("x", "float", 1.0, high=2.5), "a finite number of at most 2.5"),
        (LIMB, "one of arm, leg"),
        (TORSO, "True or False"),
    ],
)
def test_accepts_says_it_in_words(option: Option, words: str) -> None:
    assert option.accepts == words


def test_a_contradictory_declaration_is_refused_where_it_is_written() -> None:
    with pytest.raises(ValueError, match="size must be"):
        Option("size", "int", 4, low=8)
    with pytest.raises(ValueError, match="option limb: choices"):
        Option("limb", "choice", "arm")
    with pytest.raises(ValueError, match="option size: choices"):
        Option("size", "int", 4, choices=("4",))
    with pytest.raises(ValueError, match="option size: kind"):
        Option("size", "integer", 4)
    with pytest.raises(ValueError, match="card toy: two options"):
        make_card(SIZE, SIZE)
    with pytest.raises(ValueError, match="card x: kind"):
        Card("x", "X", "", "sounds", "", "", "")


def test_resolve_fills_in_defaults_and_refuses_unknown_names() -> None:
    card = make_card(SIZE, LIMB)
    assert card.resolve({}) == {"size": 64, "limb": "arm"}
    assert card.resolve({"limb": "leg"}) == {"size": 64, "limb": "leg"}
    with pytest.raises(ValueError, match="'toy' has no option 'sise'; its options: size, limb"):
        card.resolve({"sise": 64})
    with pytest.raises(ValueError, match="its options: none"):
        make_card().resolve({"size": 64})


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("person", "people"),
        ("class", "classes"),
        ("species", "species"),
        ("diagnosis", "diagnoses"),
        ("country", "countries"),
        ("digit", "digits"),
    ],
)
def test_several_classes_have_their_word(one: str, many: str) -> None:
    assert Card("toy", "Toy", "A toy.", "table", "here", "none", "nobody", class_unit=one).class_units == many
