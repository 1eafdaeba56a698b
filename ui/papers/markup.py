"""Papers, tables, claims and protocols as HTML that a telephone can show as well as a wall."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from experiments.studies.claim import Finding
from experiments.studies.exports import ours, verdict
from experiments.studies.outcome import ABOVE, BELOW, NOT_YET, REPRODUCED, Outcome, StudyOutcome, printed
from experiments.studies.paper import Paper

STYLE = """<style>
.papers { line-height: 1.4; font-size: 15px; }
.papers .cards { display: grid; gap: 12px;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
.papers .card { border: 1px solid light-dark(#d9d9d2, #3a3d42); border-radius: 8px; padding: 10px 14px; }
.papers h2 { font-size: 17px; margin: 0; padding: 0; }
.papers p { margin: 2px 0 6px; }
.papers .quiet { color: light-dark(#575a5f, #b3b6bb); font-size: 14px; }
.papers ul { margin: 4px 0 0; padding-left: 18px; }
.papers .wide { overflow-x: auto; }
.papers table { border-collapse: collapse; width: 100%; }
.papers th, .papers td { border-bottom: 1px solid light-dark(#d9d9d2, #3a3d42); padding: 6px 10px 6px 0;
  text-align: left; vertical-align: top; min-width: 104px; }
.papers thead th { position: sticky; top: 0; }
.papers .number { font-size: 17px; font-variant-numeric: tabular-nums; white-space: nowrap; }
.papers .small { display: block; font-size: 13.5px; color: light-dark(#575a5f, #b3b6bb); }
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
            f"<li><b>{escape(one.study.item)}</b> · {escape(one.study.title)}<br>"
            f'<span class="quiet">{escape(one.summary)}</span></li>'
            for one in studies
        )
        made.append(
            f'<section class="card"><h2>{escape(paper.short)}</h2>'
            f'<p class="quiet">{escape(paper.authors)}: {escape(paper.title)}</p><ul>{items}</ul></section>'
        )
    return f'{STYLE}<div class="papers"><div class="cards">{"".join(made)}</div></div>'


def table(told: StudyOutcome) -> str:
    """Return the table of a study: in each cell ours, what was printed, and the verdict."""
    plan, outcomes = told.study.plan, told.outcomes
    head = "".join(f"<th>{escape(column)}</th>" for column in plan.columns)
    rows = []
    for row in plan.rows:
        cells = "".join(
            f'<td data-column="{escape(column)}"><span>{_cell(outcomes[row, column])}</span></td>'
            if (row, column) in outcomes
            else "<td></td>"
            for column in plan.columns
        )
        rows.append(f"<tr><th>{escape(row)}</th>{cells}</tr>")
    body = f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'{STYLE}<div class="papers wide"><table>{body}</table></div>'


def claims(told: StudyOutcome) -> str:
    """Return the claims of a study, each with what became of it and the figures."""
    items = "".join(
        f"<li>{escape(sentence)}<br>{_finding(finding)}</li>" for sentence, finding in told.findings
    )
    return f'<div class="papers"><ul>{items}</ul></div>'


def protocol(told: StudyOutcome) -> str:
    """Return the protocol as printed and as run, point by point."""
    heads = ("as printed", "as run here", "why")
    rows = "".join(
        f"<tr><th>{escape(point.point)}</th>"
        + "".join(
            f'<td data-column="{head}"><span>{escape(text) or "–"}</span></td>'
            for head, text in zip(heads, (point.printed, point.run, point.why), strict=True)
        )
        + "</tr>"
        for point in told.study.protocol
    )
    head = "".join(f"<th>{text}</th>" for text in heads)
    head = f"<thead><tr><td></td>{head}</tr></thead>"
    return f'<div class="papers wide"><table>{head}<tbody>{rows}</tbody></table></div>'


def awaited(told: StudyOutcome) -> str:
    """Return what the study waits for: names, owners, shapes."""
    items = "".join(
        f"<li><b>{escape(one.title)}</b>: {escape(one.shape)}. Given away by {escape(one.owner)}.</li>"
        for one in told.study.awaits
    )
    return f'<div class="papers"><ul>{items}</ul></div>'


def _cell(one: Outcome) -> str:
    words = f'<span class="small"><span class="{_tone(one.verdict)}">{escape(verdict(one))}</span></span>'
    lines = []
    if one.mean is not None:
        title = f' title="{escape(one.setting)}"' if one.setting else ""
        lines.append(f'<span class="number"{title}>{escape(ours(one))}</span>')
    if one.cell.published is not None:
        difference = ""
        if one.difference is not None and one.study.judged:
            difference = f", {one.difference:+.2f}".replace("-", "−")
        lines.append(f'<span class="small">printed {printed(one.cell.published)}{difference}</span>')
    if one.setting:
        lines.append(f'<span class="small">{escape(one.setting)}</span>')
    # A cell that can only say that nothing is printed has said it by having no printed number.
    if one.mean is None or one.cell.published is not None or one.out_of_date or one.verdict == NOT_YET:
        lines.append(words)
    return "".join(lines)


def _finding(finding: Finding) -> str:
    tone = f'<span class="{_tone(finding.standing)}">{escape(finding.standing)}</span>'
    return f'<span class="small">{tone}: {escape(finding.figures)}</span>'


def _tone(words: str) -> str:
    return "good" if words in _GOOD else "other" if words in _OTHER else "plain"
