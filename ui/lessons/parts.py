"""Why parts appear when nothing may be subtracted."""

from ui.teaching.conditions import hole, switched_off
from ui.teaching.lesson import Lesson, LessonStep, OneOf

_SWIMMERS = {
    "data": "swimmer", "seed": 0, "by": "number", "labelled": 2,
    "compare": ["pca", "semi_nmf", "nmf"], "k": 17, "order": "weight", "bases.look": None,
}  # fmt: skip


LESSON = Lesson(
    id="parts",
    title="Why do parts appear when nothing may be subtracted?",
    group="see",
    level="no formula needed",
    minutes=8,
    afterwards="Without subtraction nothing can be taken back, so each part must really be there.",
    ask="Three methods rebuild every figure without a fault. Which of them has found the arms and legs?",
    belief="That a perfect copy means the parts were understood; or that all three look alike.",
    opening=True,
    formula=r"x \approx \sum_j w_j\,h_j,\qquad w_j \ge 0,\ h_j \ge 0",
    steps=(
        LessonStep(
            page="bases",
            choices=_SWIMMERS,
            say="256 stick figures: a body that never moves, and four limbs in four positions each. Three "
            "methods take them apart into 17 parts. All of them rebuild every figure (0 % missing).",
            predict=OneOf(
                "Whose parts are single limbs?",
                (
                    "PCA: the best possible copy",
                    "Semi-NMF: only the weights are positive",
                    "NMF: nothing is ever subtracted",
                    "All three: the copies are equal",
                ),
                "NMF: nothing is ever subtracted",
            ),
            hide=("labelled", "by", "seed"),
            frame=("bases view",),
            reveal="Look at the columns. PCA and Semi-NMF mix all limbs, light and orange: what one part "
            "puts too much, another takes away. Only NMF's parts are limbs. Their concentration says it in a "
            "number: 0.2, 0.3, and 0.5 or more.",
        ),
        LessonStep(
            page="bases",
            say="Now take a limb away: a part that this figure has.",
            predict=OneOf(
                "If one NMF part is switched off, what is left?",
                ("Nearly the same: 16 others make up for it", "The figure without that limb", "Noise"),
                "The figure without that limb",
            ),
            do="Click an NMF part that is a limb of the figure shown; click it again to switch it off. "
            "Nothing missing? Try another.",
            done=hole("nmf", 0.3),
            frame=("bases view",),
            reveal="A limb is gone, and with it a third of the figure or more. Nothing else can fill the "
            "gap, for nothing else was ever drawn there.",
        ),
        LessonStep(
            page="bases",
            say="PCA's parts are sorted like NMF's: most weight first.",
            predict=OneOf(
                "PCA's first part is switched off. What happens to this figure?",
                ("A limb is gone", "Nothing to be seen: about 0 % is missing", "Everything falls apart"),
                "Nothing to be seen: about 0 % is missing",
            ),
            do="Click PCA's first part twice.",
            done=switched_off("pca"),
            frame=("bases view",),
            reveal="Nothing to be seen. PCA's heaviest parts are differences *between* figures; this one "
            "has none of the first. One part does nearly everything here and looks like no limb at all.",
        ),
        LessonStep(
            page="bases",
            choices={
                "data": "orl",
                "data.orl.size": 32,
                "compare": ["pca", "nmf"],
                "k": 25,
                "bases.look": None,
            },
            say="The same with faces. Faces have no limbs, and nobody drew where a nose ends.",
            predict=OneOf(
                "Will NMF find noses and eyes?",
                ("Yes, as it found limbs", "Partly: darker and brighter regions, some of them noses"),
                "Partly: darker and brighter regions, some of them noses",
            ),
            frame=("bases view",),
            reveal="Without subtraction parts must be there, but where they end the data decide: limbs move "
            "by themselves, noses do not. Try your own pictures here, or three parts instead of 25.",
        ),
    ),
)
