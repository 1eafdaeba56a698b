"""The program of the app's workers, named where naming it loads nothing."""

PROGRAM = ("-m", f"{__package__}.trials.worker")
