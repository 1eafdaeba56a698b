"""A sweep as a script and as a notebook that carry it out again and compare what they find."""

from __future__ import annotations

import math
import pprint
import re

import datasets
import methods
from datasets.uploads import is_upload
from experiments.take_away.comparison_code import reading_code
from experiments.take_away.notebook import cells_as_notebook, code_cell, text_cell
from experiments.take_away.script import BEFORE
from experiments.tuning import SweepTable
from experiments.tuning.report import sentences

_ABOUT = """\
It needs the packages of Partwise (datasets, methods, experiments): run it in the folder of Partwise, or name
that folder in PYTHONPATH. Other versions may change the last digits; seconds differ anyway."""

# The package that ours are in where Partwise is installed; none in its folder.
_WHOLE = __name__.rpartition("experiments.")[0]
_IMPORTS = f"""\
from {_WHOLE}experiments.trials.carriers import Processes
from {_WHOLE}experiments.trials.result_cache import ResultCache
from {_WHOLE}experiments.tuning import Sweep, carry_sweep, table_of
from {_WHOLE}experiments.tuning.report import as_text"""

_WORK = """\
results = dict(carry_sweep(SWEEP, Processes(), ResultCache()))
table = table_of(SWEEP, results)
print(as_text(table))"""

_COMPARE = """\
item = SWEEP.chosen_by
found = {cell.point: cell.mean(item) for cell in table.cells}
same = sum(abs(found.get(point, -1) - mean) < 1e-6 for point, mean in KEPT.items())
print(f"{same} of {len(KEPT)} points have the score they had then.")"""


def script_of_sweep(table: SweepTable, name: str = "sweep.py") -> str:
    """Return a script that carries a sweep out and prints its table."""
    main = "\n".join(f"    {line}" if line else "" for line in f"{_WORK}\n{_COMPARE}".splitlines())
    return "\n\n".join(
        [
            f'"""{_title(table)}\n\n{_ABOUT}\n\n    PYTHONPATH=/path/to/partwise python {name}'
            f'{" [FILE]" if is_upload(table.sweep.dataset) else ""}\n"""',
            f"{BEFORE}{_imports(table)}",
            f"{_sweep_code(table)}\n\n{_stored_scores(table)}",
            f'if __name__ == "__main__":\n{main}',
        ]
    ) + "\n"  # fmt: skip


def notebook_of_sweep(table: SweepTable) -> str:
    """Return a notebook that carries a sweep out and prints its table."""
    bullets = "\n".join(f"* {sentence}" for sentence in sentences(table))
    return cells_as_notebook(
        [
            text_cell(f"# {_title(table)}\n\n{_ABOUT}\n\n## What came out\n\n{bullets}"),
            code_cell(f"{BEFORE}{_imports(table)}"),
            text_cell("## What is tried\n\nEverything that decides the numbers is written out."),
            code_cell(_sweep_code(table, files="[]")),
            text_cell("## Carry it out"),
            code_cell(_WORK),
            text_cell("## Compare"),
            code_cell(f"{_stored_scores(table)}\n{_COMPARE}"),
        ]
    )


def _title(table: SweepTable) -> str:
    sweep = table.sweep
    data = "uploaded data" if is_upload(sweep.dataset) else datasets.card(sweep.dataset).title
    tuned = ", ".join(axis.param for axis in sweep.axes)
    prefix = f"{sweep.name}: " if sweep.name else ""
    text = f"{prefix}{methods.spec(sweep.method).title} on {data}, tuned over {tuned}"
    # Names are anybody's: nothing in them may end the docstring or be taken for Markdown.
    return re.sub(r"[\\\"<>\[\]!`]", " ", text)


def _imports(table: SweepTable) -> str:
    whole = _WHOLE.rstrip(".")
    data = f"from {whole} import datasets" if whole else "import datasets"
    return f"{data}\n{_IMPORTS}" if is_upload(table.sweep.dataset) else _IMPORTS


def _sweep_code(table: SweepTable, files: str = "sys.argv[1:]") -> str:
    """Return the sweep as code; `files` is the expression that names those of an upload."""
    sweep = table.sweep
    plain = sweep.plain() | {"name": ""}
    before = ""
    if is_upload(sweep.dataset):
        data = datasets.load(sweep.dataset) if datasets.is_here(sweep.dataset) else None
        before = reading_code(data.files if data else (), files, data.reading if data else {})
    text = pprint.pformat(plain, width=100, sort_dicts=False)
    if before:
        text = text.replace(repr(sweep.dataset), "DATA")
    return f"{before}SWEEP = Sweep.from_plain(\n    {text.replace(chr(10), chr(10) + '    ')}\n)"


def _stored_scores(table: SweepTable) -> str:
    item = table.sweep.chosen_by
    means = {cell.point: cell.mean(item) for cell in table.cells if not math.isnan(cell.mean(item))}
    return f"# The score of each point then: {item.name}.\nKEPT = {pprint.pformat(means, width=100)}"
