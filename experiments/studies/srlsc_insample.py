"""Figures 5 to 8 of S-RLSC: five classifiers asked about samples they saw without a label."""

from __future__ import annotations

from experiments.studies.awaited import CBCL, ITS, USPS, YALE_B
from experiments.studies.claim import Claim, each_ahead
from experiments.studies.srlsc_outofsample import METHODS, PROTOCOL, pairs, stand_ins, waiting
from experiments.studies.study import Study

STUDY = Study(
    id="srlsc-insample",
    paper="s_rlsc",
    item="Figures 5–8",
    title="Samples seen without a label: five classifiers by labels a class",
    summary="The curves are printed without numbers; what stands in is drawn along the same axis.",
    datasets=("digits", "lfw_subset"),
    cells=lambda: waiting(seen=True) + stand_ins(seen=True),
    axis="labelled samples a class",
    awaits=(CBCL, ITS, USPS, YALE_B),
    protocol=PROTOCOL,
    claims=(
        Claim(
            "S-RLSC is the best but with five or ten labels (digits, standing in for USPS).",
            each_ahead(pairs("Digits", "S-RLSC", METHODS[1:])[8:]),
        ),
        Claim(
            "LapRLSC is ahead of GFHF, SRC and 1-NN (faces or not, standing in for CBCL).",
            each_ahead(pairs("Faces or not", "LapRLSC", METHODS[2:])),
        ),
        Claim(
            "SRC is behind 1-NN with five labels (digits and faces or not, standing in).",
            each_ahead(
                [
                    (one[0], one[1])
                    for name in ("Digits", "Faces or not")
                    for one in pairs(name, "1-NN", ("SRC",))[:1]
                ]
            ),
        ),
    ),
    notes="No numbers are printed for these curves.",
)
