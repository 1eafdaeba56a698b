"""Docstrings read from source files, taken apart into summary, body and parameters, and remembered.

Reading some 2 000 files takes a few seconds, so what was found is kept in the cache folder under a
name made of the versions of the packages.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import inspect
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from datasets.folders import cache_folder

# Name to import -> name it is installed by.
PACKAGES = {
    "numpy": "numpy",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "pandas": "pandas",
    "plotly": "plotly",
    "streamlit": "streamlit",
}
# Changed whenever the same source would give other entries.
_EDITION = 1
# Code that came from elsewhere, tests, and the thousands of near-equal texts plotly generates.
_NOT_OURS = {"tests", "testing", "conftest.py", "_vendor", "vendor", "externals", "extern", "proto"}
_GENERATED = {("plotly", "graph_objs"), ("plotly", "validators")}
# Examples are code, the others are lists of names.
_LEFT_OUT = {"Examples", "Example", "See Also", "See also", "References"}
_PARAMETERS = {"Parameters", "Other Parameters", "Arguments", "Args"}
_FEWEST_WORDS = 8
_HEADING = re.compile(r"^([A-Z][A-Za-z ]+)\n[-=]{3,}[ ]*$", re.MULTILINE)
# What is written in C starts with how it is called.
_SIGNATURE = re.compile(r"\A\w+\([^)]*\)[^\n]*\n(?:--\n)?\s*")
_FIELDS = re.compile(r"^:(?:param|type|arg)\b", re.MULTILINE)
_MARKUP = re.compile(r":[a-z:]+:(?=`)|^\s*\.\. [a-z]+::.*$", re.MULTILINE)


class Entry(NamedTuple):
    """The documentation of one function or class."""

    module: str
    name: str
    summary: str
    body: str
    parameters: str


def collected() -> tuple[Entry, ...]:
    """Return the documentation of all packages, from the cache if their versions are the same."""
    cache_file = cache_folder() / "docstrings" / f"{_edition()}.json.gz"
    with suppress(OSError, ValueError, TypeError, EOFError):
        return tuple(Entry(*fields) for fields in json.loads(gzip.decompress(cache_file.read_bytes())))
    entries = tuple(_without_repeats(entry for package in PACKAGES for entry in of_package(package)))
    # A cache folder that cannot be written to costs a few seconds at the next start, no more.
    with suppress(OSError):
        _keep(cache_file, gzip.compress(json.dumps(entries).encode(), compresslevel=4))
    return entries


def of_package(package: str) -> Iterator[Entry]:
    """Yield the documentation found in the source files of one package, in a fixed order."""
    spec = find_spec(package)
    for location in (spec and spec.submodule_search_locations) or ():
        root = Path(location)
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).parts
            if _NOT_OURS & set(parts) or (package, parts[0]) in _GENERATED:
                continue
            inner = parts[:-1] if parts[-1] == "__init__.py" else (*parts[:-1], path.stem)
            yield from of_source(
                path.read_text(encoding="utf-8", errors="replace"), ".".join((package, *inner))
            )


def of_source(source: str, module: str) -> Iterator[Entry]:
    """Yield the documentation in one source file: of public functions and classes, methods included."""
    if '"""' not in source:
        return
    try:
        tree = ast.parse(source)
    except SyntaxError:  # A template, or written for another version of Python.
        return
    for name, text in _documented(tree):
        entry = _parse_docstring(module, name, text)
        if entry is not None:
            yield entry


def _documented(node: ast.AST) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            text = ast.get_docstring(child)
            if text and not child.name.startswith("_"):
                yield child.name, text
            if isinstance(child, ast.ClassDef):
                yield from _documented(child)
        elif isinstance(child, ast.If | ast.Try):
            yield from _documented(child)
        elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Call):
            yield from _added(child.value)


def _added(call: ast.Call) -> Iterator[tuple[str, str]]:
    # What is written in C has its text in calls of add_newdoc(place, name, text).
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if isinstance(call.func, ast.Name) and call.func.id == "add_newdoc" and len(texts) >= 2:
        name, text = texts[-2:]
        if not name.startswith("_"):
            yield name, inspect.cleandoc(text)


def _parse_docstring(module: str, name: str, text: str) -> Entry | None:
    """Return an entry, or None if a part is missing or says next to nothing."""
    # Sections as numpydoc has them: [before, heading, text, heading, text, ...].
    first, *sections = _HEADING.split(_SIGNATURE.sub("", text))
    fields = _FIELDS.search(first)
    parameters = [first[fields.start() :]] if fields else []
    summary, _, rest = (first[: fields.start()] if fields else first).strip().partition("\n\n")
    body = [rest]
    for heading, content in zip(sections[::2], sections[1::2], strict=True):
        if heading in _PARAMETERS:
            parameters.append(content)
        elif heading not in _LEFT_OUT:
            body.append(content)
    entry = Entry(module, name, _plain([summary]), _plain(body), _plain(parameters))
    enough = entry.summary and min(len(entry.body.split()), len(entry.parameters.split())) >= _FEWEST_WORDS
    return entry if enough else None


def _plain(pieces: list[str]) -> str:
    lines = _MARKUP.sub("", "\n".join(pieces)).splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith((">>>", "..."))).strip()


def _without_repeats(entries: Iterator[Entry]) -> Iterator[Entry]:
    # The same text under several names (a function and the method that calls it) counts once.
    seen: set[tuple[str, str, str]] = set()
    for entry in entries:
        if entry[2:] not in seen:
            seen.add(entry[2:])
            yield entry


def _edition() -> str:
    """Return a short name for the package versions, which decide the entries."""
    versions = [str(_EDITION)]
    for name in PACKAGES.values():
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"no {name}")
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()[:16]


def _keep(path: Path, content: bytes) -> None:
    # Written beside and renamed, so that another process never reads half of it.
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
