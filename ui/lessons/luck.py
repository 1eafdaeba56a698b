"""Whether one split can tell which method is better."""

from ui.teaching.conditions import tried
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_START = {
    "data": "orl", "data.orl.size": 32, "seed": 0, "by": "number", "labelled": 2,
    "compare": ["pca", "nmf"], "k": 25, "order": "weight", "bases.look": None, "bases.run": None,
}  # fmt: skip

LESSON = Lesson(
    id="luck",
    title="Can one split tell who is better?",
    group="doubt",
    level="no formula needed",
    minutes=5,
    afterwards="One split is one throw of the dice: a difference of two points may turn round with the next.",
    ask="PCA recognises 82 of 100, NMF 80. Is PCA better?",
    belief="That a difference between two numbers is a difference between two methods.",
    formula=r"\bar d \pm t\,\sqrt{\left(\tfrac1n+\tfrac{n_{\text{test}}}{n_{\text{train}}}\right) s_d^2}",
    steps=(
        LessonStep(
            page="bases",
            choices=_START,
            say="Two named pictures of each of forty people; who is on the others? Below each sheet stands "
            "how many are recognised by these parts: 82 of 100 by PCA, 80 by NMF.",
            predict=OneOf(
                "Other pictures are named, two a person as before. Who is ahead?",
                ("PCA again, by about as much", "It may turn round", "Both the same"),
                "It may turn round",
            ),
            do="Set the seed in the sidebar to 1: it decides which pictures have a name.",
            done=tried("seed", 1),
            frame=("seed",),
            sidebar={"seed": 1},
            hide=("by", "labelled", "k", "order"),
            reveal="Now 81 by PCA and 82 by NMF. Nothing about the methods has changed, only which pictures "
            "had names.",
        ),
        LessonStep(
            page="bases",
            say="And with yet another draw?",
            do="Set the seed to 2.",
            done=tried("seed", 2),
            frame=("seed",),
            sidebar={"seed": 2},
            hide=("by", "labelled", "k", "order"),
            reveal="85 and 83: PCA again. Three draws, three stories, and the draws differ by more than the "
            "methods. The page Recognition repeats it over many splits and says whether what is left is "
            "more than luck.",
        ),
    ),
)
