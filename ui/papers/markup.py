"""Papers, tables, claims and protocols as HTML that a telephone can show as well as a wall."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from experiments.studies.claim import Finding
from experiments.studies.exports import honestly, ours, verdict
from experiments.studies.outcome import (
    ABOVE,
    BELOW,
    NOT_YET,
    REPRODUCED,
    WAITS,
    Outcome,
    StudyOutcome,
    paper_summary,
    printed,
)
from experiments.studies.paper import Paper
from experiments.studies.study import Head
from ui import theme
from ui.papers.computing import DisplayedStudy
from ui.words import counted

STYLE = """<style>
.papers { line-height: 1.4; font-size: 15px; }
.papers .cards { display: grid; gap: 12px;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
.papers .card { border: 1px solid light-dark(#d9d9d2, #3a3d42); border-radius: 8px; padding: 10px 14px; }
.papers h2 { font-size: 17px; margin: 0; padding: 0; }
.papers p { margin: 2px 0 6px; }
.papers .all { font-weight: 600; font-size: 14.5px; }
.papers .quiet { color: light-dark(#575a5f, #b3b6bb); font-size: 14px; }
.papers ul { margin: 4px 0 0; padding-left: 18px; }
.papers .wide { overflow-x: auto; }
.papers table { border-collapse: collapse; width: 100%; }
.papers th, .papers td { border-bottom: 1px solid light-dark(#d9d9d2, #3a3d42); padding: 6px 10px 6px 0;
  text-align: left; vertical-align: top; min-width: 104px; }
.papers thead th { position: sticky; top: 0; }
.papers summary { cursor: pointer; padding: 8px 0; color: light-dark(#575a5f, #b3b6bb); }
.papers summary:focus-visible { outline: 2px solid light-dark(#0f766e, #2dd4bf); outline-offset: 3px; }
.papers button { all: unset; cursor: pointer; display: block; border-radius: 4px; }
.papers button:hover :is(b, .number) { text-decoration: underline; text-underline-offset: 3px; }
.papers button:focus-visible { outline: 2px solid light-dark(#0f766e, #2dd4bf); outline-offset: 3px; }
.papers dl { display: grid; grid-template-columns: minmax(84px, auto) 1fr; }
.st-key-paper_item { scroll-margin-top: 64px; }
.papers dt, .papers dd { border-bottom: 1px solid light-dark(#d9d9d2, #3a3d42); margin: 0; padding: 6px 0; }
.papers dt { font-weight: 600; padding-right: 14px; }
.papers .again { color: light-dark(#0f5f8a, #7cc4f0); }
.papers .number { font-size: 17px; font-variant-numeric: tabular-nums; white-space: nowrap; }
.papers .small { display: block; font-size: 13.5px; color: light-dark(#575a5f, #b3b6bb); }
.papers.figures { display: flex; flex-wrap: wrap; gap: 12px 24px; }
.papers figure { margin: 0; min-width: 0; }
.papers figure.parts { flex: 1 1 200px; max-width: 340px; }
.papers figure.samples { flex: 1 1 300px; max-width: 520px; }
.papers figcaption { font-weight: 600; margin-bottom: 3px; }
.papers figure img { display: block; width: 100%; border-radius: 4px; }
.papers figure.coarse img { image-rendering: pixelated; }
.papers .labels { display: flex; }
.papers .labels span { flex: 1 1 0; text-align: center; }
.papers .good { color: light-dark(#1b6b3a, #7fd39b); font-weight: 600; }
.papers .other { color: light-dark(#8a4b00, #f0b56a); font-weight: 600; }
@media (max-width: 640px) {
  .papers .wide { overflow-x: visible; }
  .papers table, .papers tbody, .papers tr, .papers th, .papers td { display: block; width: auto; }
  .papers thead { display: none; }
  .papers tr { padding: 8px 0; }
  .papers tbody th { border: none; font-size: 17px; padding-bottom: 0; }
  .papers td { display: grid; grid-template-columns: 38% 1fr; padding: 5px 0; min-width: 0; }
  .papers td::before { content: attr(data-column); font-weight: 600; padding-right: 8px; }
}
</style>"""
_GOOD, _OTHER = (REPRODUCED, "holds"), (ABOVE, BELOW, "does not hold here", "holds in part")


def cards(papers: Sequence[tuple[Paper, Sequence[StudyOutcome]]]) -> str:
    """Return the papers with their items, what came of each in one line."""
    made = []
    for paper, studies in papers:
        items = "".join(
            f'<li><button data-item="{one.study.id}"><b>{escape(one.study.item)}</b> · '
            f'{escape(one.study.title)}</button><span class="quiet">{escape(one.summary)}</span></li>'
            for one in studies
        )
        made.append(
            f'<section class="card"><h2>{escape(paper.short)}</h2>'
            f'<p class="quiet">{escape(paper.authors)}: {escape(paper.title)}</p>'
            f'<p class="all">{escape(paper_summary(studies))}</p><ul>{items}</ul></section>'
        )
    return f'{STYLE}<div class="papers"><div class="cards">{"".join(made)}</div></div>'


def table(displayed: DisplayedStudy) -> str:
    """Return the table of a study: in each cell ours, the printed number, the verdict, what came again."""
    one, here = displayed.combined, displayed.here.outcomes
    plan, outcomes = one.study.plan, one.outcomes
    places = {cell.place: at for at, cell in enumerate(plan.cells)}
    head = "".join(f"<th>{escape(column)}</th>" for column in plan.columns)

    def line(row: str) -> str:
        cells = "".join(
            f'<td data-column="{escape(column)}"><button data-cell="{places[row, column]}" '
            f'title="Its splits, and its run">{_cell(one, outcomes[row, column], here.get((row, column)))}'
            "</button></td>"
            if (row, column) in outcomes
            else "<td></td>"
            for column in plan.columns
        )
        return f"<tr><th>{escape(row)}</th>{cells}</tr>"

    waiting = [row for row in plan.rows if _waits(one, row)]
    ready = [row for row in plan.rows if row not in waiting] or waiting
    made = [
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{''.join(map(line, rows))}</tbody></table>"
        for rows in (ready, waiting)
    ]
    more = ""
    if ready != waiting and waiting:
        what = f"{counted(len(waiting), 'more row')} {'waits' if len(waiting) == 1 else 'wait'} for data"
        more = f"<details><summary>{what}</summary>{made[1]}</details>"
    return f'{STYLE}<div class="papers wide">{made[0]}{more}</div>'


def _waits(one: StudyOutcome, row: str) -> bool:
    """Return whether nothing can be said in a row before somebody has a file."""
    verdicts = {
        outcome.verdict
        for column in one.study.plan.columns
        if (outcome := one.outcomes.get((row, column))) is not None
    }
    return verdicts == {WAITS}


def cell(displayed: DisplayedStudy, one: Outcome) -> str:
    """Return all there is to say of a cell, point by point."""
    here = displayed.here.outcomes.get(one.cell.place)
    tried = displayed.combined.tried(one.cell)
    facts = {
        "printed": printed(one.cell.published),
        "here": ours(one) if one.values else "",
        "verdict": verdict(one),
        "why": one.reason,
        "setting": one.setting,
        "of all tried": _range(tried, one),
        "chosen by labels alone": _honest(displayed.combined, one),
        "split by split": ", ".join(f"{value:.2f}" for value in one.values),
        "again here": ours(here) if here is not None and here.values and here.numbers != one.numbers else "",
        "computed": _computed(one),
        "run": _run(one),
    }
    rows = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items() if text)
    # What lies over the page is outside of what carries its theme.
    style = f"color-scheme: {theme.current()}; margin: 0; padding: 0"
    return f'{STYLE}<div class="papers"><dl style="{style}">{rows}</dl></div>'


def _range(tried: Sequence[Outcome], one: Outcome) -> str:
    means = sorted(some.mean for some in tried if some.mean is not None)
    if len(means) < 2:
        return ""
    best = "best" if one.study.better == "high" else "lowest"
    return f"the {best} of {len(means)}, as the papers choose: {means[0]:.2f} to {means[-1]:.2f}"


def _honest(study_outcome: StudyOutcome, one: Outcome) -> str:
    chosen = study_outcome.honest.get(one.cell.place)
    if chosen is None:
        return ""
    settings = "; ".join(dict.fromkeys(chosen.settings))
    return f"{honestly(study_outcome, one)}: each split chose by its own labels ({settings})"


def _computed(one: Outcome) -> str:
    if not one.numbers:
        return ""
    first, seconds = one.numbers[0], sum(number.seconds for number in one.numbers)
    versions = ", ".join(f"{name} {version}" for name, version in first.versions.items())
    return f"{first.date} in {seconds:.1f} s on {first.machine}; {versions}"


def _run(one: Outcome) -> str:
    """Return what is run for a cell: the method and all that is not as usual; nothing if nothing can be."""
    candidates = one.cell.candidates
    if not candidates:
        return ""
    request = next((some for some in candidates if some.setting == one.setting), candidates[0]).request
    settings = {**request.dataset_options, **request.split, **request.params}
    return f"{request.method}: " + ", ".join(f"{name}={value}" for name, value in settings.items())


def listed(lines: Sequence[str]) -> str:
    """Return sentences as a list."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<div class="papers"><ul>{items}</ul></div>'


def claims(study_outcome: StudyOutcome) -> str:
    """Return the claims of a study, each with what became of it and the figures."""
    items = "".join(
        f"<li>{escape(sentence)}<br>{_finding(finding)}</li>" for sentence, finding in study_outcome.findings
    )
    return f'<div class="papers"><ul>{items}</ul></div>'


def head(one: Head) -> str:
    """Return a table of the paper in which nothing is measured."""
    first, *others = one.columns
    columns = "".join(f"<th>{escape(text)}</th>" for text in others)
    rows = "".join(
        f"<tr><th>{escape(row[0])}</th>"
        + "".join(
            f'<td data-column="{escape(column)}"><span>{escape(text)}</span></td>'
            for column, text in zip(others, row[1:], strict=True)
        )
        + "</tr>"
        for row in one.rows
    )
    body = f"<thead><tr><th>{escape(first)}</th>{columns}</tr></thead><tbody>{rows}</tbody>"
    return f'{STYLE}<div class="papers wide"><table>{body}</table></div>'


def protocol(study_outcome: StudyOutcome) -> str:
    """Return the protocol as printed and as run, point by point."""
    heads = ("as printed", "as run here", "why")
    rows = "".join(
        f"<tr><th>{escape(point.point)}</th>"
        + "".join(
            f'<td data-column="{head}"><span>{escape(text) or "–"}</span></td>'
            for head, text in zip(heads, (point.printed, point.run, point.why), strict=True)
        )
        + "</tr>"
        for point in study_outcome.study.protocol
    )
    head = "".join(f"<th>{text}</th>" for text in heads)
    head = f"<thead><tr><td></td>{head}</tr></thead>"
    return f'<div class="papers wide"><table>{head}<tbody>{rows}</tbody></table></div>'


def _cell(study_outcome: StudyOutcome, one: Outcome, here: Outcome | None) -> str:
    words = f'<span class="small"><span class="{_tone(one.verdict)}">{escape(verdict(one))}</span></span>'
    lines = []
    if one.mean is not None:
        figure, _, fewer = ours(one).partition(", ")
        lines.append(f'<span class="number">{escape(figure)}</span>')
        if fewer:
            lines.append(f'<span class="small">{escape(fewer)}</span>')
    if one.cell.published is not None:
        difference = ""
        if one.difference is not None and one.study.judged:
            difference = f", {one.difference:+.2f}".replace("-", "−")
        lines.append(f'<span class="small">printed {printed(one.cell.published)}{difference}</span>')
    if one.setting:
        lines.append(f'<span class="small">{escape(one.setting)}</span>')
    if honest := honestly(study_outcome, one):
        lines.append(f'<span class="small">chosen by labels alone {escape(honest)}</span>')
    if here is not None and here.values and here.numbers != one.numbers:
        again = f"again here {ours(here)}"
        lines.append(f'<span class="small again">{escape(again)}</span>')
    # A cell that can only say that nothing is printed has said it by having no printed number.
    if one.mean is None or one.cell.published is not None or one.out_of_date or one.verdict == NOT_YET:
        lines.append(words)
    return "".join(lines)


def _finding(finding: Finding) -> str:
    tone = f'<span class="{_tone(finding.standing)}">{escape(finding.standing)}</span>'
    return f'<span class="small">{tone}: {escape(finding.figures)}</span>'


def _tone(words: str) -> str:
    return "good" if words in _GOOD else "other" if words in _OTHER else "plain"
