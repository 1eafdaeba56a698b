"""Studies: tables and figures of papers, measured again and set beside what was printed."""

from experiments.studies.catalogue import names, study
from experiments.studies.study import Candidate, Cell, Published, Study

__all__ = ["Candidate", "Cell", "Published", "Study", "names", "study"]
