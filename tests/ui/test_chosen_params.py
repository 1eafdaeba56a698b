"""Parameters chosen for a method: they are carried by the address and used wherever methods are compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from experiments.requests.library import method_spec
from ui.chosen_params import as_text, from_text
from ui.service import service


def _script() -> None:
    import streamlit as st

    from ui import chosen_params, state

    state.begin()
    tuned = {"alpha": 10.0, "solver": "multiplicative"}
    if chosen_params.chosen("orl", "n2s2l"):
        chosen_params.in_use("orl", "n2s2l", key="cell")
    else:
        st.button("Use these", on_click=chosen_params.choose, args=("orl", "n2s2l", tuned))
    st.code(repr(chosen_params.chosen("orl", "n2s2l")))
    st.code(repr(chosen_params.chosen("orl", "nmf")))


def test_parameters_are_used_for_their_method_and_forgotten() -> None:
    app = AppTest.from_function(_script, default_timeout=30).run()
    assert [code.value for code in app.code] == ["{}", "{}"]
    app.button[0].click().run()
    assert [code.value for code in app.code] == ["{'alpha': 10.0, 'solver': 'multiplicative'}", "{}"]
    assert "α 10" in app.caption[0].value
    app.button[0].click().run()
    assert [code.value for code in app.code] == ["{}", "{}"]


@pytest.mark.parametrize("page", ["live", "bases", "occlusion", "recognition"])
def test_pages_run_the_method_with_them_and_say_so(page: str) -> None:
    script = Path(__file__).resolve().parents[2] / "ui" / "shell.py"
    app = AppTest.from_file(str(script), default_timeout=60)
    app.query_params["data.orl.size"] = "16"
    app.query_params["tuned.orl.n2s2l"] = "alpha=0.125;max_iter=20"
    app.query_params["method"] = app.query_params["compare"] = app.query_params["recognisers"] = "n2s2l"
    app.query_params["recognition.methods"] = "n2s2l"
    app.run()
    app.switch_page(f"../pages/{page}.py").run()
    assert not app.exception
    assert any("tuned on these data: α 0.125" in caption.value for caption in app.caption)
    if page == "live":
        next(button for button in app.button if button.label == "Run").click().run()
    made = [handle.request.params for handle in service().runs if handle.request.method == "n2s2l"]
    assert any(params.get("alpha") == 0.125 and params["max_iter"] == 20 for params in made)
    next(button for button in app.button if button.label == "Forget them").click().run()
    assert not any("tuned on these data" in caption.value for caption in app.caption)


def test_an_address_carries_them() -> None:
    app = AppTest.from_function(_script, default_timeout=30)
    app.query_params["tuned.orl.n2s2l"] = "alpha=10;solver=multiplicative"
    app.run()
    assert app.code[0].value == "{'alpha': 10.0, 'solver': 'multiplicative'}"
    assert "α 10" in app.caption[0].value


def test_what_the_method_does_not_take_is_left_out() -> None:
    spec = method_spec("n2s2l")
    text = "alpha=-3;beta=much;gamma=1;n_components=40;random_state=3;solver=magic;;=;max_iter=1e9"
    assert from_text(spec, text) == {"n_components": 40}


def test_text_and_parameters_are_the_same() -> None:
    spec = method_spec("n2s2l")
    params = {"alpha": 1 / 3, "beta": 1e-7, "n_components": 40, "solver": "accelerated"}
    assert from_text(spec, as_text(params)) == params
