"""What a kernel buys, and what it costs."""

from ui.teaching.conditions import noisy
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_START = {
    "data": "orl", "data.orl.size": 16, "seed": 0, "by": "number", "labelled": 5,
    "recognisers": ["nmf", "lnmf", "poly_nmf", "gaussian_nmf"], "noise.kind": "salt and pepper",
    "tested": "held", "metric": "euclidean", "weights": "ridge", "noise.place": (47, 0, 0, 0),
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "recognisers", "tested", "metric", "weights", "noise.kind")

LESSON = Lesson(
    id="kernel",
    title="What does a kernel buy, and what does it cost?",
    group="use",
    level="has heard of kernels",
    minutes=6,
    afterwards="What wins on clean pictures may be the first to be lost in noise.",
    ask="On clean faces the Gaussian kernel is best. Is it still with noise on every fifth pixel?",
    belief="That the best on clean data stays the best, only lower.",
    formula=r"k(x,y)=\exp\!\left(-\frac{\lVert x-y\rVert^2}{2\sigma^2}\right)",
    steps=(
        LessonStep(
            page="noise",
            choices=_START,
            say="NMF, LNMF and two kernel versions know five pictures of each person. First without any "
            "noise.",
            predict=OneOf(
                "Who is best on clean faces?",
                ("NMF", "LNMF", "Polynomial NMF", "Gaussian kernel NMF"),
                "Gaussian kernel NMF",
            ),
            frame=("noise view",),
            hide=_HIDDEN,
            reveal="The Gaussian kernel, with about 95 of 100: it compares faces by how alike they are as "
            "wholes. NMF is close behind, LNMF last with 83.",
        ),
        LessonStep(
            page="noise",
            say="Salt and pepper: pixels that are black or white by chance. The slider says how many of "
            "them.",
            predict=OneOf(
                "At 40 %, what has become of the Gaussian kernel?",
                ("Still the best", "About half of what NMF still has", "At chance, like all others"),
                "About half of what NMF still has",
            ),
            do="Move the noise to 40 % or more.",
            done=noisy(40),
            frame=("noise view",),
            hide=_HIDDEN,
            reveal="About 17 of 100, NMF and the polynomial kernel about 30, LNMF about 12. Under noise all "
            "faces are equally far from each other, and a Gaussian of equal distances says nothing.",
        ),
    ),
)
