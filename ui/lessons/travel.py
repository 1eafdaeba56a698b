"""How far labels travel over a graph."""

from ui.teaching.conditions import tried
from ui.teaching.lesson import Amount, Lesson, LessonStep, OneOf

_P = "graph.p"
_START = {
    "data": "digits", "seed": 0, "by": "number", "labelled": 2, "graph.kind": "neighbours", _P: 3,
    "graph.rule": "hgf", "graph.places": "pca",
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "graph.kind")

LESSON = Lesson(
    id="travel",
    title="How far do labels travel?",
    group="see",
    level="no formula needed",
    minutes=6,
    afterwards="Too few edges leave samples stranded, too many mislead.",
    ask="Twenty names, 1 797 digits. Each digit asks its p nearest ones. Which p is best: 1, 3 or 20?",
    belief="That one neighbour is the purest, or that more neighbours know more.",
    formula=r"f_i=\frac{1}{d_i}\sum_{j\sim i} f_j\quad\text{for all } i \text{ without a label}",
    steps=(
        LessonStep(
            page="graphs",
            choices=_START,
            say="Every digit is joined to the three that look most like it. Names travel along the edges, "
            "round after round: see the film at the bottom of the page.",
            predict=Amount(
                "Twenty of 1 797 have a name. How many of 100 others get the right one?", 0, 100, 95, 3, ""
            ),
            frame=(_P,),
            hide=_HIDDEN,
            reveal="95 of 100, from twenty names. An island of 27 digits gets none at all: no path leads "
            "there (“Cut off” in the table).",
        ),
        LessonStep(
            page="graphs",
            say="With p = 1 every edge is a digit's very nearest: 99 % of them join equals, more than at "
            "any other p.",
            predict=OneOf(
                "What happens to the names at p = 1?",
                (
                    "They all arrive, more surely than before",
                    "Most digits get no name at all",
                    "Much the same as before",
                ),
                "Most digits get no name at all",
            ),
            do="Move p to 1.",
            done=tried(_P, 1),
            frame=(_P,),
            hide=_HIDDEN,
            reveal="Fewer than 8 of 100 get the right name. The graph falls into 397 pieces, and nearly 1 "
            "700 digits lie in pieces without a single name. Pure edges, and no way through.",
        ),
        LessonStep(
            page="graphs",
            say="And the other way: twenty neighbours each, one piece, every digit is reached.",
            do="Move p to 20.",
            done=tried(_P, 20),
            frame=(_P,),
            hide=_HIDDEN,
            reveal="Everybody is reached, and 86 of 100 are right: fewer than with three. Eight edges of a "
            "hundred now join strangers, and wrong names travel as well as right ones.",
        ),
    ),
)
