"""Whether a method can find a useless view, and what that is worth."""

from ui.teaching.conditions import tried
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_LAM = "views.sulf.lam"
_START = {
    "data": "planted_views", "data.planted_views.useless": True, "seed": 0, "by": "number", "labelled": 2,
    _LAM: 1000.0,
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "init", "tol", "max_iter", "solver")

LESSON = Lesson(
    id="junk",
    title="Can a method find the junk view?",
    group="doubt",
    level="knows what a label is",
    minutes=6,
    afterwards="Spotting junk is not winning.",
    ask="Three views of the same things, one of them pure chance. A method is told to weigh them. Does it "
    "win?",
    belief="That ignoring a useless view must help.",
    formula=r"\min_{\pi}\ \sum_p \pi_p\,e_p+\lambda\lVert\pi\rVert^2,\quad \pi\ge 0,\ \sum_p\pi_p=1",
    steps=(
        LessonStep(
            page="views",
            choices=_START,
            say="Every sample is seen in three ways; the third was made by chance alone. SULF weighs the "
            "views by how well they are explained. λ says how even the weights must stay: 1 000 is very "
            "even.",
            predict=OneOf(
                "At λ = 1 000, what weight has the junk?",
                ("None", "A little less than the others", "The most: it is the hardest to explain"),
                "A little less than the others",
            ),
            frame=(_LAM,),
            hide=_HIDDEN,
            reveal="36, 35 and 29 %: it was noticed, and hardly punished.",
        ),
        LessonStep(
            page="views",
            say="With a smaller λ the weights may differ more.",
            predict=OneOf(
                "And at λ = 5?",
                ("Only the junk is gone", "Only one view is left", "All three stay"),
                "Only one view is left",
            ),
            do="Set λ to 50, look at the weights, then to 5.",
            done=tried(_LAM, 50.0, 5.0),
            frame=(_LAM,),
            hide=_HIDDEN,
            reveal="At 50 the junk has 0 %. At 5 everything but the first view has: a good view was thrown "
            "out, too. And recognition? 99 of 100 with junk, 99 without it, 98 with one view alone: nothing "
            "was won.",
        ),
    ),
)
