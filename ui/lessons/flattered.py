"""What choosing the best of many by the test itself flatters."""

from ui.teaching.conditions import swept
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_TUNED = "tune.n2s2l"
_START = {
    "data": "breast_cancer", "seed": 0, "by": "number", "labelled": 2, "tune.part": "tune",
    "tune.method": "n2s2l",
    f"{_TUNED}.over": ["alpha", "beta"], "tune.measures": ["inner_accuracy", "accuracy"], "tune.splits": 1,
    "tune.how": "grid", "tune.continuation": "", f"{_TUNED}.max_iter": 30,
    f"{_TUNED}.alpha.from": 0.1, f"{_TUNED}.alpha.to": 1000.0, f"{_TUNED}.alpha.values": 5,
    f"{_TUNED}.beta.from": 0.01, f"{_TUNED}.beta.to": 100.0, f"{_TUNED}.beta.values": 5,
}  # fmt: skip
_HIDDEN = ("by", "labelled", "splits", "how", "continuation")

LESSON = Lesson(
    id="flattered",
    title="Does the best of many keep its promise?",
    group="doubt",
    level="knows what a parameter is",
    minutes=7,
    afterwards="The best of many settings is partly the luckiest: chosen on the test, it flatters itself.",
    ask="25 settings are tried on the test set; the best has 92 of 100 right. What will you publish?",
    belief="That the best of what was measured is what one will get.",
    formula=r"\mathbb E\,\max_i\hat a_i \;\ge\; \max_i\mathbb E\,\hat a_i",
    steps=(
        LessonStep(
            page="tune",
            choices=_START,
            say="569 tumours of two kinds; two of each have a name. The best of 25 settings of N²S²L names "
            "92 of 100 others rightly. Who may not look at those chooses by the four that have a name.",
            predict=OneOf(
                "How many of 100 does that choice name rightly?",
                ("About 92 as well", "A few fewer", "Hardly more than by guessing"),
                "Hardly more than by guessing",
            ),
            do="Press **Start**, wait for all 25 cells, and read the sentence about choosing.",
            done=swept(0),
            frame=("tune view",),
            hide=(*_HIDDEN, "seed"),
            reveal="50: as if guessed. The difference of 42 points is the optimism of choosing on the test "
            "set: 92 finds only who has seen the answers, and who reports it promises what nobody gets.",
        ),
        LessonStep(
            page="tune",
            say="Other tumours get a name now: another draw, the same 25 settings.",
            predict=OneOf(
                "Is the choice by the test flattered again?",
                ("No, that was an accident", "Yes, and it can only ever flatter"),
                "Yes, and it can only ever flatter",
            ),
            do="Set the seed in the sidebar to 1, and press **Start**.",
            done=swept(1),
            frame=("seed", "tune view"),
            sidebar={"seed": 1},
            hide=_HIDDEN,
            reveal="87 against 84, and with seed 2 92 against 89. How much it flatters is chance; that it "
            "flatters is not: the largest of many cannot be smaller than any other choice. Choose by labels "
            "held back, and report what you did not choose by.",
        ),
    ),
)
