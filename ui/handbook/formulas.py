"""Long formulas cut into lines, where their authors left a wide space or began a new line."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\(?:begin|end)\{\w+\*?\}|\\[a-zA-Z]+|\\.|.", re.DOTALL)
_ALIGNED = re.compile(r"^\\begin\{aligned\}(.*)\\end\{aligned\}$", re.DOTALL)


def lines(latex: str) -> list[str]:
    r"""Return a formula as one or several that stand below each other.

    >>> lines(r"\min f(x),\qquad x\ge 0")
    ['\\min f(x)', 'x\\ge 0']
    >>> lines(r"\begin{aligned}U &\leftarrow A\\V &\leftarrow \frac{a\qquad b}{c}\end{aligned}")
    ['U \\leftarrow A', 'V \\leftarrow \\frac{a\\qquad b}{c}']
    """
    aligned = _ALIGNED.match(latex.strip())
    body = aligned.group(1) if aligned else latex
    breaks = {r"\qquad", r"\\"} if aligned else {r"\qquad"}
    formulas, line, depth = [], "", 0
    for token in _TOKEN.findall(body):
        if token in ("{", r"\left") or token.startswith(r"\begin{"):
            depth += 1
        elif token in ("}", r"\right") or token.startswith(r"\end{"):
            depth -= 1
        if depth == 0 and token in breaks:
            formulas.append(line)
            line = ""
        elif not (aligned and depth == 0 and token == "&"):
            line += token
    return [text for text in (part.strip().rstrip(",;").rstrip() for part in [*formulas, line]) if text]
