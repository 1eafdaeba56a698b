"""Whether sparser parts are better ones."""

from ui.teaching.conditions import tried
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_START = {
    "data": "orl", "data.orl.size": 32, "seed": 0, "by": "number", "labelled": 2,
    "compare": ["pca", "nmf", "lnmf"], "k": 25, "order": "weight", "bases.look": None, "bases.run": None,
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "k")

LESSON = Lesson(
    id="sparser",
    title="Is sparser better?",
    group="doubt",
    level="no formula needed",
    minutes=6,
    afterwards="Three measures of parts, and none of them means useful.",
    ask="Three methods, three degrees of sparsity. Which one recognises best?",
    belief="That parts which look like parts must also serve best.",
    formula=r"\mathrm{Hoyer}(h)=\frac{\sqrt m-\lVert h\rVert_1/\lVert h\rVert_2}{\sqrt m-1}",
    steps=(
        LessonStep(
            page="bases",
            choices=_START,
            say="PCA, NMF and LNMF each take 400 faces apart into 25 parts. LNMF was made to find local "
            "ones.",
            predict=OneOf(
                "Which has the sparsest parts: most of each one empty?",
                ("PCA", "NMF", "LNMF"),
                "LNMF",
            ),
            frame=("bases view",),
            hide=_HIDDEN,
            reveal="LNMF. Sparsity after Hoyer: about 0.2, 0.4 and 0.6; concentration, how close together "
            "the light of a part lies: 0.02, 0.14 and 0.3. Both say the same, and so do your eyes.",
        ),
        LessonStep(
            page="bases",
            say="Below each sheet stands how many faces nobody has named are recognised by these 25 parts.",
            predict=OneOf(
                "Whose parts recognise fewest?",
                ("PCA's: they look like ghosts", "NMF's", "LNMF's, the sparsest"),
                "LNMF's, the sparsest",
            ),
            do="Order the parts by sparsity, and read the line below each sheet.",
            done=tried("order", "sparsity"),
            frame=("order", "bases view"),
            hide=_HIDDEN,
            reveal="The sparsest: 74 of 100, where PCA's ghosts and NMF have 80 to 82. Sparse, local, "
            "useful are three different things; an order by one of them says nothing of the others.",
        ),
    ),
)
