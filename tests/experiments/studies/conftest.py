"""What tests of studies share."""

from tests.experiments.studies.invented import in_threads, store_of_its_own

__all__ = ["in_threads", "store_of_its_own"]
