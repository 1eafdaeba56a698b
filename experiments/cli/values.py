"""Values as they are written on a command line or in a file of parameters, read by their kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from methods import Param, Spec

_FLAGS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
# A file of parameters is a page at most; what is written of runs holds their curves.
_LARGEST_FILE = 50_000_000


def params_of_file(spec: Spec, path: Path) -> dict[str, Any]:
    """Return the parameters written in a JSON file: an object of them, or what `--json` has written of a run.

    A ValueError says what is wrong.
    """
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise ValueError(f"{path} is too large for a file of parameters")
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError(f"{path} is not JSON") from None
    for name in ("request", "params"):
        if isinstance(content, dict) and isinstance(content.get(name), dict):
            content = content[name]
    if not isinstance(content, dict):
        raise ValueError(f'{path} holds no parameters: an object like {{"alpha": 10}} is accepted')
    return {name: _checked(spec.param(name), value, path) for name, value in content.items()}


def _checked(param: Param, value: Any, path: Path) -> Any:
    if isinstance(value, str) or value is None or param.kind == "seed":
        return parameter(param, str("auto" if value is None else value))
    try:
        param.check(value)
    except TypeError:
        raise ValueError(f"{path}: {param.name} cannot be {value!r}") from None
    return value


def named_values(flag: str, pairs: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield the names and texts of NAME=VALUE pairs; each name may be given once."""
    seen: set[str] = set()
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name and equals):
            raise ValueError(f"{flag} takes NAME=VALUE, not {pair!r}")
        if name in seen:
            raise ValueError(f"{flag} {name} is given twice")
        seen.add(name)
        yield name, text


def parameter(param: Param, text: str) -> Any:
    """Return text as the value of a parameter; a ValueError names what it does not accept."""
    if text.lower() in ("auto", "none") and (param.auto or param.default is None):
        return None
    value = read_value(param.name, param.kind, text)
    param.check(value)
    return value


def read_value(name: str, kind: str, text: str) -> Any:
    """Return text as the value of a kind of parameter; what makes no sense is refused."""
    if kind == "seed":
        raise ValueError(f"{name} is set by --seed")
    if kind in ("flag", "bool"):
        if text.lower() not in _FLAGS:
            raise ValueError(f"{name}={text} must be true or false")
        return _FLAGS[text.lower()]
    if kind == "shape":
        return [read_value(name, "int", size) for size in re.split("[x,]", text)]
    if kind in ("int", "float"):
        if kind == "int" and re.fullmatch(r"[+-]?\d+", text):
            return int(text)
        try:
            number = float(text)
        except ValueError:
            raise ValueError(f"{name}={text} is not a number") from None
        return int(number) if kind == "int" and number.is_integer() else number
    return text


def number_or_share(what: str, text: str) -> dict[str, Any]:
    """Return the keyword of `experiments.split` for a number of samples of each class, or for their share."""
    number = read_value(what, "int", text)
    return {f"{what}_fraction" if 0 < number < 1 else f"{what}_per_class": number}
