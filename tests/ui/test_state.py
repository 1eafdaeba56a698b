"""Choices: a widget stands where it was put however often it is drawn before it is seen."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st

    from ui import state

    state.begin()
    state.control(st.slider, "Labels", 1, 6, name="labels", default=3)
    state.control(st.select_slider, "At", [1, 2, 3, 4, 6], name="at", default=3)
    state.control(st.selectbox, "Method", ["pca", "lda", "nmf"], name="method", default="nmf")
    state.control(st.toggle, "Alone", name="alone", default=True)
    state.control(st.number_input, "Seed", 0, 100, name="seed", default=7)
    state.control(st.segmented_control, "Look", ["map", "list"], name="look", default="list")
    state.control(st.multiselect, "Several", ["pca", "lda", "nmf"], name="several", default=["lda"])


def test_where_a_widget_stands_is_said_whenever_it_is_drawn() -> None:
    """Not with the first drawing alone: a browser that has only seen the second would begin at the lowest."""
    app = AppTest.from_function(_script, default_timeout=30)
    for _ in range(2):
        app.run()
        assert not app.exception
        assert list(app.slider[0].proto.default) == [3]
        assert list(app.select_slider[0].proto.default) == [2]
        assert app.selectbox[0].proto.default == 2
        assert app.toggle[0].proto.default
        assert app.number_input[0].proto.default == 7
        assert list(app.button_group[0].proto.default) == [1]
        assert list(app.multiselect[0].proto.default) == [1]
    app.slider[0].set_value(5).run()
    assert list(app.slider[0].proto.default) == [5]
