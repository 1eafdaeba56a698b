"""What a measure is: a number that a finished fit answers with, and everything said about it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Need = Literal["truth", "images", "components", "embedding", "transform"]
Unit = Literal["share", "seconds", "iterations", ""]


@dataclass(frozen=True)
class Measure:
    """A measure. `of` is a pure function of a finished fit; its keywords are the settings of the measure.

    A setting with `choices` takes one of them. `revision` is raised when the same settings begin to mean
    something else: results kept before are then not used any more.
    """

    id: str
    title: str
    unit: Unit
    better: Literal["high", "low"]
    of: Callable[..., float]
    summary: str
    needs: frozenset[Need] = frozenset()
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    revision: int = 1

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The settings, with the values they have if nothing is said."""
        parameters = list(inspect.signature(self.of).parameters.values())
        return {setting.name: setting.default for setting in parameters[1:]}

    def resolved(self, requested: Mapping[str, Any]) -> dict[str, Any]:
        """Return every setting with its value; a ValueError names what is unknown or impossible."""
        settings = dict(self.defaults)
        for name, value in requested.items():
            if name not in settings:
                raise ValueError(
                    f"{self.id} has no setting {name!r}. It takes: {', '.join(settings) or 'none'}."
                )
            if name in self.choices and value not in self.choices[name]:
                offered = ", ".join(map(str, self.choices[name]))
                raise ValueError(f"{name} must be one of {offered}, not {value!r}.")
            settings[name] = list(value) if isinstance(value, tuple) else value
        return settings
