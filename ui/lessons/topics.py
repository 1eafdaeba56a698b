"""What topics are, and what labels do to them."""

from ui.teaching.conditions import both
from ui.teaching.lesson import Amount, Lesson, LessonStep, OneOf

_START = {
    "data": "docstrings", "seed": 0, "by": "number", "labelled": 20, "documents.method": "nmf",
    "documents.k": 8,
    "live.mode": "one", "live.cold": True, "run": None,
}  # fmt: skip
_LIVE = {
    "method": "nmf", "live.nmf.n_components": 8,
    "live.n2s2l.n_components": 8, "live.n2s2l.n_discriminative": 7,
    "live.n2s2l.alpha": 1.0, "live.n2s2l.beta": 1.0, "run": None,
}  # fmt: skip
_HIDDEN = ("seed", "by", "labelled", "solver", "init", "tol", "max_iter", "pace", "cold")

LESSON = Lesson(
    id="topics",
    title="What is a topic, and do labels change it?",
    group="use",
    level="no formula needed",
    minutes=9,
    afterwards="A topic is what is spoken about, not who speaks; labels move the documents more than the "
    "topics.",
    ask="4 888 help texts of six software packages. Will eight topics be the packages?",
    belief="That topics are the classes under another name.",
    steps=(
        LessonStep(
            page="documents",
            choices=_START,
            say="4 888 help texts of six Python packages, as counts of words. NMF takes them apart into "
            "eight topics: words that occur together.",
            predict=OneOf(
                "Will each topic belong to one package?",
                ("Yes, nearly", "No: on average about half of a topic lies in its main package"),
                "No: on average about half of a topic lies in its main package",
            ),
            frame=("documents view",),
            hide=_HIDDEN,
            reveal="About half. “Array”, “samples”, “self” are spoken of in several packages; a topic is a "
            "subject, and nobody has told the method who wrote what.",
        ),
        LessonStep(
            page="live",
            choices=_LIVE,
            say="Twenty texts of each package have a name now. NMF makes no use of that; N²S²L does.",
            predict=Amount("NMF recognises the package of 54 of 100 texts. And N²S²L?", 30, 100, 62, 6, ""),
            do="Press **Run** for NMF, then choose N²S²L and press **Run** again.",
            done=both("nmf", "n2s2l"),
            frame=("live_run", "method"),
            hide=_HIDDEN,
            reveal="Around 62: the labels are used. That is luck, too: with other texts labelled it is "
            "between 4 fewer and 13 more than NMF. And look at the words: the topics are nearly the same, "
            "and about as mixed as before. Labels have moved the documents more than the topics.",
        ),
    ),
)
