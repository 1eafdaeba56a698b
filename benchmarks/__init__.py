"""Measurements of speed, memory and load. Each module prints a table and writes JSON under `results/`.

Ratios measured in one run are what counts: the seconds are those of one machine on one day.
"""
