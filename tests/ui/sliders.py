"""The sliders of parameters as a test of the app sees and moves them; Streamlit's own are in `app.slider`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from streamlit.testing.v1 import AppTest


@dataclass(frozen=True)
class ParamSlider:
    """One of them, as it stands on the page."""

    app: AppTest
    key: str
    data: dict[str, Any]

    @property
    def label(self) -> str:
        return str(self.data["label"])

    @property
    def value(self) -> float:
        return float(self.data["value"])

    def set_value(self, value: float) -> AppTest:
        """Say what the slider in the browser says when it is let go."""
        moved = {"number": self.data["heard"] + 1, "value": value, "start": self.data["start"]}
        self.app.session_state[self.key] = {"moved": moved}
        return self.app


def views_of(app: AppTest, component: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the key and the data of every view of a component of ours on a page."""
    protos = [element.proto for element in app.get("bidi_component")]
    ours = [proto for proto in protos if proto.component_name == f"partwise_{component}"]
    return [(proto.id.split("-", 2)[2], json.loads(proto.json)) for proto in ours]


def param_sliders(app: AppTest) -> list[ParamSlider]:
    """Return the sliders of parameters on a page."""
    return [ParamSlider(app, key, data) for key, data in views_of(app, "param_slider")]


def param_slider(app: AppTest, label: str) -> ParamSlider:
    """Return the slider whose label begins like this."""
    return next(slider for slider in param_sliders(app) if slider.label.startswith(label))
