"""How many parts, and whether a better copy is a better one to recognise by."""

from ui.teaching.conditions import ran
from ui.teaching.lesson import Amount, Lesson, LessonStep, OneOf

_COUNT = "live.nmf.n_components"
_START = {
    "seed": 0, "by": "number", "labelled": 2, "live.mode": "one", "method": "nmf", "live.cold": True,
    "run": None, "live.nmf.solver": "accelerated",
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "solver", "init", "tol", "max_iter", "pace", "cold")

LESSON = Lesson(
    id="how_many",
    title="How many parts, and is a better copy more use?",
    group="see",
    level="no formula needed",
    minutes=10,
    afterwards="Rebuilding is not recognising: a copy 700 times better recognised no more.",
    ask="Pictures made from nine known parts: what happens with four, with nine, with twelve?",
    belief="That more parts can only help, since the copy gets better.",
    formula=r"\min_{W,H\ge 0}\ \lVert X-WH\rVert^2,\quad H\in\mathbb{R}^{k\times m}",
    steps=(
        LessonStep(
            page="live",
            choices=_START | {"data": "planted_parts", _COUNT: 4},
            say="These pictures were made from nine parts. NMF does not know that; it is told how many to "
            "look for: k, four for now.",
            predict=OneOf(
                "With four parts for nine, what will NMF draw?",
                ("Four of the nine, cleanly", "Four blends that each hold several parts"),
                "Four blends that each hold several parts",
            ),
            do="Press **Run**, and look at the parts.",
            done=ran("nmf", "n_components", 4),
            frame=("live_run", _COUNT),
            hide=_HIDDEN,
            reveal="Blends. The objective stays near 2 000: what four parts cannot hold is missing in every "
            "picture.",
        ),
        LessonStep(
            page="live",
            say="Now as many as there are, and then more than there are.",
            predict=OneOf(
                "With twelve parts for nine, what are the three extra ones?",
                ("Empty", "Doubles and blends of the nine", "New parts nobody planted"),
                "Doubles and blends of the nine",
            ),
            do="Set k to 9 and let it run to its end; then 12.",
            done=ran("nmf", "n_components", 9, 12),
            frame=(_COUNT,),
            hide=_HIDDEN,
            reveal="Nine: the objective falls to 0 and the parts stand alone. Twelve: still 0, yet parts "
            "come twice or cut up. The objective cannot tell nine from twelve; your eye can.",
        ),
        LessonStep(
            page="live",
            choices=_START | {"data": "digits", _COUNT: 20},
            say="Handwritten digits, two of each with a name. Twenty parts first. “Recognised” counts the "
            "unnamed digits whose nearest named one is the same digit.",
            do="Press **Run** and note how many are recognised.",
            done=ran("nmf", "n_components", 20),
            frame=("live_run",),
            hide=_HIDDEN,
            reveal="About 76 of 100, with an objective near 1 330.",
        ),
        LessonStep(
            page="live",
            say="With 64 parts, one for each pixel, the copy can be nearly perfect.",
            predict=Amount("Of 100 digits, how many are then recognised?", 0, 100, 75, 4, ""),
            do="Set k to 64 and let it run to its end.",
            done=ran("nmf", "n_components", 64),
            frame=(_COUNT,),
            hide=_HIDDEN,
            reveal="About 75. The objective is some 700 times smaller, and *no more* digits are recognised, "
            "rather fewer. Parts that can rebuild anything, dust included, say no more about which digit it "
            "is.",
        ),
    ),
)
