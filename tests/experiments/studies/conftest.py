"""What tests of studies share."""

from tests.experiments.studies.invented import store_of_its_own

__all__ = ["store_of_its_own"]
