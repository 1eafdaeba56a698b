"""Studies: tables and figures of papers, measured again and set beside what was printed."""

from experiments.studies.catalogue import names, study
from experiments.studies.study import Candidate, Published, Study, StudyCell

__all__ = ["Candidate", "Published", "Study", "StudyCell", "names", "study"]
