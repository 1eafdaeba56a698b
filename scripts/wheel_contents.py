"""What goes into the wheel: our packages moved below `partwise/`, their imports of each other rewritten.

In the repository the packages are called `datasets`, `methods`, `ui` …, names that others use as well
(`pip install datasets`). Installed, they live inside `partwise`. Each import statement of a first-party
package is found by Python's own parser and changed where it stands; nothing else in a file is touched, so
line numbers stay. A folder put on the path, or a hook that imports pass through, would change what *other*
people's imports mean. Names of modules in strings cannot be followed: the build refuses those it sees.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

WHOLE = "partwise"
PACKAGES = ("datasets", "experiments", "methods", "pages", "ui")
# The app and its settings have a folder of their own: Streamlit puts that on the path.
SERVER = "server"
_MAIN = f'"""`python -m {WHOLE}`."""\n\nimport sys\n\nfrom {WHOLE} import main\n\nsys.exit(main())\n'
_NAMES = "|".join(PACKAGES)
_IN_EXAMPLE = re.compile(rf"^(\s*(?:>>>|\.\.\.) +)(from|import) +({_NAMES})\b", re.M)
_NOT_SHIPPED = shutil.ignore_patterns("__pycache__", "*.pyc", "*.d.ts")


class UnmovableError(ValueError):
    """An import that cannot be moved as it is written; the message says where and how to write it."""


def write_package(root: Path, target: Path, version: str, built: str) -> Path:
    """Write the package `partwise` into a folder and return it; `built` is the name of the version file."""
    whole = target / WHOLE
    for package in PACKAGES:
        shutil.copytree(root / package, whole / package, ignore=_NOT_SHIPPED)
    (whole / SERVER).mkdir()
    shutil.copy(root / "app.py", whole / SERVER / "app.py")
    shutil.copytree(root / ".streamlit", whole / SERVER / ".streamlit")
    shutil.copy(root / f"{WHOLE}.py", whole / "__init__.py")
    for path in sorted(whole.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        path.write_text(moved(source, str(path.relative_to(whole)), root), encoding="utf-8")
    (whole / "__main__.py").write_text(_MAIN, encoding="utf-8")
    (whole / built).write_text(json.dumps({"version": version}), encoding="utf-8")
    return whole


def moved(source: str, name: str, root: Path) -> str:
    """Return a module with its imports of first-party packages below `partwise`.

    >>> moved("import os, datasets as d\\nfrom methods.nmf import NMF\\nimport ui\\n", "x.py", Path())
    'import os, partwise.datasets as d\\nfrom partwise.methods.nmf import NMF\\nfrom partwise import ui\\n'
    """
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    edits: list[tuple[int, int, bytes, bytes]] = []
    tree = ast.parse(source)
    # What is put together from pieces begins with the name of a package where that is made by the book.
    pieces = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            edits += _edits(node, name)
        elif isinstance(node, ast.Constant) and id(node) not in pieces and _names_module(node.value, root):
            raise UnmovableError(
                f"{name}:{node.lineno}: the string {node.value!r} names a module, which is called otherwise "
                "when installed; make it from __name__ or __package__"
            )
    for line, column, before, after in sorted(edits, reverse=True):
        text = lines[line - 1]
        assert text[column:].startswith(before), (name, line, before)
        lines[line - 1] = text[:column] + after + text[column + len(before) :]
    return _IN_EXAMPLE.sub(_example, b"".join(lines).decode())


def _edits(node: ast.Import | ast.ImportFrom, name: str) -> Iterator[tuple[int, int, bytes, bytes]]:
    """Yield line, column, what is there and what is to be there for each change of a statement."""
    if isinstance(node, ast.ImportFrom):
        if node.level == 0 and _is_ours(node.module or ""):
            yield node.lineno, node.col_offset, b"from ", f"from {WHOLE}.".encode()
        return
    ours = [alias for alias in node.names if _is_ours(alias.name)]
    for alias in ours:
        if alias.asname:
            yield alias.lineno, alias.col_offset, b"", f"{WHOLE}.".encode()
        elif "." in alias.name or len(node.names) > 1:
            raise UnmovableError(
                f"{name}:{node.lineno}: write `import {alias.name}` as an import of one package, or with `as`"
            )
        else:
            yield node.lineno, node.col_offset, b"import ", f"from {WHOLE} import ".encode()


def _example(match: re.Match[str]) -> str:
    before, how, package = match.groups()
    return f"{before}from {WHOLE}.{package}" if how == "from" else f"{before}from {WHOLE} import {package}"


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


def _names_module(value: object, root: Path) -> bool:
    if not isinstance(value, str) or "." not in value or not _is_ours(value):
        return False
    if not all(part.isidentifier() for part in value.split(".")):
        return False
    path = root.joinpath(*value.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()
