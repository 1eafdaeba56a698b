"""House rules that no other tool checks: what may be imported where, and what a file must have."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

from benchmarks.__main__ import measurements

REPOSITORY = Path(__file__).resolve().parent.parent
MATHEMATICS = ("methods", "datasets", "experiments")
LAYERS = (*MATHEMATICS, "ui")
MAX_BYTES = 1_500_000
TEXT_SUFFIXES = {".py", ".toml", ".txt", ".md", ".sh", ".cfg", ".ini", ".yml", ".yaml", ".json", ""}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that is, or would be, in git; without git, every file outside hidden folders."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        found = [REPOSITORY / name for name in names.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [
            path
            for path in REPOSITORY.rglob("*")
            if not any(
                part.startswith(".") or part == "node_modules"
                for part in path.relative_to(REPOSITORY).parts[:-1]
            )
        ]
    return tuple(sorted(path for path in found if path.is_file()))


def modules(*folders: str) -> list[Path]:
    """The Python files of the project, or of some of its folders."""
    return [
        path
        for path in project_files()
        if path.suffix == ".py" and (not folders or path.relative_to(REPOSITORY).parts[0] in folders)
    ]


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(REPOSITORY)) for path in paths]


def imported(path: Path) -> set[str]:
    """The top-level packages a module imports anywhere, functions included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def defines(path: Path, name: str) -> bool:
    """Say whether a module assigns this name at its top level."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return True
    return False


def touches_session_state(path: Path) -> bool:
    """Say whether a module uses `st.session_state` as an attribute or imports it by name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr == "session_state":
            return True
        if isinstance(node, ast.ImportFrom) and any(a.name == "session_state" for a in node.names):
            return True
    return False


def test_only_ui_state_touches_session_state() -> None:
    app = modules("ui", "pages", "app.py", "experiments", "methods", "datasets")
    touching = [path for path in app if touches_session_state(path)]
    assert set(names(touching)) <= {"ui/state.py"}


def calls(path: Path, name: str) -> list[ast.Call]:
    """The calls of a method, or of a function of a module, in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
    ]


def test_every_run_a_visitor_starts_has_an_owner() -> None:
    given = [call for path in modules("ui") for call in calls(path, "submit")]
    assert len(given) > 4
    assert [ast.unparse(call) for call in given if "owner" not in {word.arg for word in call.keywords}] == []


def test_every_fragment_says_what_is_refused() -> None:
    using = [path for path in modules("ui", "pages") if "st.fragment" in path.read_text(encoding="utf-8")]
    assert names(using) == ["ui/fragments.py"]


@pytest.mark.parametrize("folder", MATHEMATICS)
def test_mathematics_never_imports_streamlit(folder: str) -> None:
    # import-linter follows every chain of imports; this names the file at once.
    assert names([path for path in modules(folder) if "streamlit" in imported(path)]) == []


def test_app_uses_ui_only() -> None:
    own = {path.relative_to(REPOSITORY).parts[0].removesuffix(".py") for path in modules()}
    assert imported(REPOSITORY / "app.py") & own <= {"ui"}


def test_nothing_uses_app() -> None:
    layers = modules("pages", "ui", *MATHEMATICS)
    assert names([path for path in layers if "app" in imported(path)]) == []


def test_every_method_has_its_oracle_test() -> None:
    methods = [path for path in modules("methods") if defines(path, "SPEC")]
    tests = REPOSITORY / "tests" / "methods"
    assert names([path for path in methods if not (tests / f"test_{path.stem}.py").is_file()]) == []


def test_no_file_is_large() -> None:
    large = {path: path.stat().st_size for path in project_files() if path.stat().st_size > MAX_BYTES}
    assert {str(path.relative_to(REPOSITORY)): size for path, size in large.items()} == {}


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        path for path in modules() if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert names(silent) == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-cluster.txt", "requirements-dev.txt"])
def test_requirements_are_pinned(name: str) -> None:
    lines = (REPOSITORY / name).read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line.strip() and not line.startswith("#")]
    pinned = re.compile(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==\d[\w.]*(; sys_platform != \"win32\")?")
    others = {f"-r {path.name}" for path in REPOSITORY.glob("requirements*.txt")}
    loose = [line for line in wanted if line not in others and not pinned.fullmatch(line)]
    assert loose == []


def test_no_file_names_a_package_registry() -> None:
    # The reader's own pip configuration decides where packages come from.
    option = re.compile(
        r"--(extra-)?index-" + r"url|--find-" + r"links|--trusted-" + r"host|index-" + r"url\s*="
    )
    naming = [
        path
        for path in project_files()
        if path.suffix in TEXT_SUFFIXES and option.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert names(naming) == []


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, as WCAG defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_theme_text_is_readable(appearance: str) -> None:
    theme = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    colours = theme[appearance]
    surfaces = [
        part[key]
        for part in (colours, colours["sidebar"])
        for key in ("backgroundColor", "secondaryBackgroundColor")
    ]
    for surface in surfaces:
        for text in ("textColor", "linkColor", "codeTextColor"):
            assert contrast(colours[text], surface) >= 4.5, (text, surface)
        # Slider knobs, the line under a tab: what is not text needs 3:1.
        assert contrast(colours["primaryColor"], surface) >= 3, surface
    # The words on a primary button are white in both appearances.
    assert contrast(colours["primaryColor"], "#ffffff") >= 4.5
    for line in colours["chartCategoricalColors"]:
        # Sky blue and orange are light by design; anything fainter would be lost.
        assert contrast(line, colours["backgroundColor"]) >= 2, line


@pytest.mark.parametrize("name", measurements())
def test_every_measurement_can_be_run_with_the_others(name: str) -> None:
    main = importlib.import_module(f"benchmarks.{name}").main
    assert inspect.signature(main).bind([])


@cache
def own_imports(module: str) -> list[tuple[str, list[str]]]:
    """The modules of ours that a module imports from when it is loaded, and the names."""
    path = module_file(module)
    nodes = ast.parse(path.read_text(encoding="utf-8")).body if path else []
    return [
        (node.module, [name.name for name in node.names])
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in LAYERS
    ]


def module_file(module: str) -> Path | None:
    base = REPOSITORY.joinpath(*module.split("."))
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


def loaded_with(package: str) -> set[str]:
    """A package and all modules of ours that are loaded while it is."""
    loaded, waiting = set[str](), [package]
    while waiting:
        module = waiting.pop()
        if module not in loaded and module_file(module):
            loaded.add(module)
            for source, parts in own_imports(module):
                waiting += [source, *(f"{source}.{part}" for part in parts)]
    return loaded


@pytest.mark.parametrize(
    "package",
    [
        ".".join(path.relative_to(REPOSITORY).parent.parts)
        for path in modules(*LAYERS)
        if path.stem == "__init__"
    ],
)
def test_no_part_waits_for_the_package_that_waits_for_it(package: str) -> None:
    # Imported by two threads at once, each of the two would wait for the other, and Python then hands one of
    # them half a module: the first visitor of a fresh server saw that.
    parts = loaded_with(package) - {package} if own_imports(package) else set()
    assert [
        part
        for part in sorted(parts)
        if part.startswith(f"{package}.") and any(source == package for source, _ in own_imports(part))
    ] == []
