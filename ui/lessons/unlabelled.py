"""What samples without a label add, and where they mislead."""

from ui.teaching.conditions import both, ran
from ui.teaching.lesson import Amount, Lesson, LessonStep, OneOf

_BETA = "live.n2s2l.beta"
_START = {
    "seed": 0, "by": "number", "labelled": 2, "live.mode": "one", "method": "n2s2l", "live.cold": True,
    "run": None, "live.n2s2l.solver": "accelerated",
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "solver", "init", "tol", "max_iter", "pace", "cold", "n_components",
           "n_discriminative", "intrinsic_neighbors", "penalty_pairs")  # fmt: skip

LESSON = Lesson(
    id="unlabelled",
    title="What do samples without a label add?",
    group="use",
    level="knows what a label is",
    minutes=10,
    afterwards="Neighbours help only where neighbours share a class.",
    ask="Twenty of 1 797 digits have a name. Can the other 1 777 help to recognise each other?",
    belief="That what has no label can teach nothing; or, once it has helped, that it always does.",
    formula=r"\lVert X-UV^\top\rVert^2+\dots+\beta\,\mathrm{tr}\,V_1^\top L^s V_1",
    steps=(
        LessonStep(
            page="live",
            choices=_START | {"data": "digits", _BETA: 0.0},
            say="Handwritten digits; two of each have a name, 1 777 have none. N²S²L can ask that "
            "neighbours, named or not, get similar weights. β says how much. At 0 it does not ask.",
            do="Press **Run** and let it come to its end.",
            done=ran("n2s2l", "beta", 0.0),
            frame=("live_run", _BETA),
            hide=_HIDDEN,
            reveal="About 63 of 100 are recognised, from twenty names.",
        ),
        LessonStep(
            page="live",
            say="Now the others may speak: the same names, the same digits, only β is larger.",
            predict=Amount("At β = 100, how many of 100 are recognised?", 30, 100, 95, 5, ""),
            do="Set β to 1 and let it run, then to 100.",
            done=ran("n2s2l", "beta", 1.0, 100.0),
            frame=(_BETA,),
            hide=_HIDDEN,
            reveal="63, 78, 96: no name was added. Digits that look alike mostly *are* alike, so what is "
            "known of one is passed on to its neighbours.",
        ),
        LessonStep(
            page="live",
            choices=_START | {"data": "swimmer", _BETA: 100.0},
            say="The stick figures, in four classes: where the left arm is. NMF, which asks neither names "
            "nor neighbours, has 48 of 100. N²S²L with β = 100 stays.",
            predict=OneOf(
                "What does β = 100 do here?",
                ("It helps as with the digits", "It changes little", "It harms: far fewer are recognised"),
                "It harms: far fewer are recognised",
            ),
            do="Press **Run**; then choose NMF as the method and press **Run** again.",
            done=both("n2s2l", "nmf"),
            frame=("live_run", "method"),
            hide=_HIDDEN,
            reveal="One in four is recognised with it, as if one guessed; NMF has nearly half. Figures that "
            "look most alike differ in *one* limb, and that may be the one that makes the class: neighbours "
            "here are often strangers.",
        ),
    ),
)
