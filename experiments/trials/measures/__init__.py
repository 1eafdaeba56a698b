"""The measures: one file each, found by their `MEASURE`."""
