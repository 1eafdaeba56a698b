"""Who fails first behind a patch, and whether the patch decides it."""

from ui.teaching.conditions import covered
from ui.teaching.lesson import Lesson, LessonStep, OneOf, Spot

_START = {
    "data": "orl", "data.orl.size": 32, "seed": 0, "by": "number", "labelled": 5,
    "recognisers": ["pca", "lda", "nmf"], "patch": "black", "tested": "held", "metric": "euclidean",
    "weights": "ridge", "place": (47, 12, 12, 8),
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "recognisers", "tested", "metric", "weights")

LESSON = Lesson(
    id="patch",
    title="Who fails first behind a patch?",
    group="use",
    level="no formula needed",
    minutes=8,
    afterwards="Damage depends on the patch, not only on the method.",
    ask="Three methods know 200 faces. A patch hides a part of a new one. Who is lost first?",
    belief="That one of the methods is simply the most robust; often: the one with local parts.",
    steps=(
        LessonStep(
            page="occlusion",
            choices=_START,
            say="Each method has learnt five clean pictures of every person and is shown others, behind a "
            "black patch of 8 of 32 pixels. Below, the curve: how many are recognised behind patches of any "
            "size.",
            predict=OneOf("Who has lost most at 8 pixels?", ("PCA", "LDA", "NMF"), "LDA"),
            do="Drag the patch over the face, somewhere else than it is now.",
            done=covered("black", 0, moved_from=(12, 12)),
            frame=("occlusion view",),
            hide=_HIDDEN,
            reveal="LDA: from 89 to 66 of 100, PCA and NMF to about 80. It looks only at the few directions "
            "that tell people apart, and a small patch turns them already.",
        ),
        LessonStep(
            page="occlusion",
            choices={"patch": "black", "place": _START["place"]},
            say="It is not the same where the patch lies. Here is a face as PCA was shown it.",
            predict=Spot(
                "Click where 8 black pixels harm PCA most.",
                "A face, 32 by 32 pixels",
                "orl",
                {"size": 32},
                122,
                ("top centre",),
            ),
            frame=("occlusion view",),
            hide=_HIDDEN,
            reveal="Not the eyes but the hairline: behind a patch there PCA recognises about 71 of 100, "
            "anywhere else 80 or more. There, by hair or bare skin, faces differ most in brightness, so PCA "
            "looks there first, and black looks like a fringe. See the maps below; LDA minds the eyes more.",
        ),
        LessonStep(
            page="occlusion",
            say="Larger now: half of the side, a quarter of the picture.",
            predict=OneOf(
                "At 16 black pixels, in which order do they stand, the best first?",
                ("PCA, NMF, LDA", "NMF, LDA, PCA", "LDA, NMF, PCA"),
                "NMF, LDA, PCA",
            ),
            do="Make the patch at least 16 pixels wide.",
            done=covered("black", 16),
            frame=("occlusion view",),
            hide=_HIDDEN,
            reveal="About 50, 30 to 40, and 16 of 100 for PCA. Black over skin is a huge change of "
            "brightness, and PCA follows brightness before all else.",
        ),
        LessonStep(
            page="occlusion",
            say="The same faces behind a grey patch, as bright as faces are on average, and larger still.",
            predict=OneOf(
                "At 24 grey pixels, who is the best?",
                ("PCA", "LDA", "NMF"),
                "LDA",
            ),
            do="Choose grey, and make the patch at least 24 pixels wide.",
            done=covered("grey", 24),
            frame=("patch", "occlusion view"),
            hide=_HIDDEN,
            reveal="LDA, with 56 of 100 or more; NMF has about 50, PCA 36. First to fail behind black, last "
            "behind grey: “robust” needs a “to what”.",
        ),
    ),
)
