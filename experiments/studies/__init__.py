"""Studies: named, seeded experiments that end in a table. A module here with a `STUDY` is one."""

from experiments.studies.catalogue import names, study
from experiments.studies.study import Row, Study

__all__ = ["Row", "Study", "names", "study"]
