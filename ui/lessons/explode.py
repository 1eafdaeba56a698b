"""When a printed formula explodes, and what one sees before it does."""

from ui.teaching.conditions import ran
from ui.teaching.evidence import Evidence
from ui.teaching.lesson import Lesson, LessonStep, OneOf, Sketch

_BETA, _RULE = "live.sulf.beta", "live.sulf.rule"
_START = {
    "data": "planted_views", "seed": 0, "by": "number", "labelled": 2, "live.mode": "one", "method": "sulf",
    "live.cold": True, "run": None,
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "init", "tol", "max_iter", "pace", "cold")


def _diverged(evidence: Evidence) -> bool:
    return any(run.status == "diverged" for run in evidence.runs("sulf", rule="printed"))


LESSON = Lesson(
    id="explode",
    title="When does a printed formula explode?",
    group="doubt",
    level="knows what an iteration is",
    minutes=8,
    afterwards="An update that does not go down shows it long before the numbers overflow: look at the "
    "curve.",
    ask="A published update rule is run as printed. How would you notice that it is wrong?",
    belief="That what is printed was tried; that a wrong rule fails at once, with an error.",
    formula=r"V_l \leftarrow V_l\circ\sqrt{\frac{Q_l+\beta(WY)^++\beta(WW^\top)^-V_l}"
    r"{PV_l+\beta(WY)^-+\beta(WW^\top)^+V_l}}",
    steps=(
        LessonStep(
            page="live",
            choices=_START | {_RULE: "split", _BETA: 1.0},
            say="SULF looks at the same samples in several ways. Its update for labelled samples can be "
            "used as printed, or split so that it provably goes down. First the split one.",
            do="Press **Run**, and watch the objective.",
            done=ran("sulf", "rule", "split"),
            frame=("live_run",),
            hide=_HIDDEN,
            reveal="Down at every step, to the end.",
        ),
        LessonStep(
            page="live",
            choices=_START | {_RULE: "printed", _BETA: 1.0},
            say="The same with the rule as printed. The paper stops it after twenty steps.",
            predict=OneOf(
                "What does its curve look like?",
                ("It rises at once", "It falls, only more slowly", "It jumps up and down"),
                "It falls, only more slowly",
            ),
            do="Press **Run**.",
            done=ran("sulf", "rule", "printed"),
            frame=("live_run",),
            hide=_HIDDEN,
            reveal="It falls, and nothing looks wrong; but fewer samples are recognised than with the other "
            "rule. A small β hides the fault: the term it gets wrong hardly counts.",
        ),
        LessonStep(
            page="live",
            choices=_START | {_RULE: "printed", _BETA: 1e8},
            say="The paper uses β = 10⁸. Now the faulty term is all that counts.",
            predict=Sketch(
                "Draw how the objective goes over the first three steps: pull the line to where you see it.",
                ("objective", "step"),
                ("the start", "step 1", "step 2", "step 3"),
                (41, 81, 91, 100),
            ),
            do="Press **Run**, or Step by step.",
            done=_diverged,
            frame=("live_run",),
            hide=_HIDDEN,
            reveal="The objective *rises* at the very first step, and is no number at the fifth. Whoever "
            "looks at the curve knows four steps earlier than whoever waits for the error.",
        ),
    ),
)
