"""Whether the faster solver, and the lower objective, is the better one."""

from ui.teaching.conditions import raced, tried
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_START = {
    "data": "orl", "data.orl.size": 32, "seed": 0, "by": "number", "labelled": 2, "live.mode": "race",
    "race.of": ["n2s2l:accelerated", "n2s2l:multiplicative"], "race.by": "objective", "race.axis": "seconds",
    "race.runs": None,
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "race.of")

LESSON = Lesson(
    id="faster",
    title="Is faster better, and when to stop?",
    group="doubt",
    level="knows what an iteration is",
    minutes=7,
    afterwards="The lower objective is not the better recogniser.",
    ask="Two solvers lower the same objective, one ten times sooner. Which of them recognises more faces?",
    belief="That whoever is lower has learnt more.",
    steps=(
        LessonStep(
            page="live",
            choices=_START,
            say="The same method twice, from the same start: once by the published update, once "
            "accelerated. Both lower the same objective.",
            predict=OneOf(
                "Who is lower after half a second?",
                ("The published one", "The accelerated one", "Nobody: the objective is the same"),
                "The accelerated one",
            ),
            do="Press **Run**, and let both come to their end.",
            done=raced("n2s2l", 2),
            frame=("race_view",),
            hide=_HIDDEN,
            reveal="The accelerated one, by far; and it also ends lower, near 1 800 where the published one "
            "has 2 100.",
        ),
        LessonStep(
            page="live",
            say="The objective is what the solver sees. What we want are faces that are recognised.",
            predict=OneOf(
                "Who recognises more faces at the end?",
                ("The one that is lower", "The one that is higher, by a little", "Both exactly as many"),
                "The one that is higher, by a little",
            ),
            do="Show the share recognised instead of the objective.",
            done=tried("race.by", "recognised"),
            frame=("race.by",),
            hide=_HIDDEN,
            reveal="The higher one, by about a point, on most splits we tried. What is left to lower at the "
            "end are details of single pictures; whoever goes further down learns those, too.",
        ),
    ),
)
