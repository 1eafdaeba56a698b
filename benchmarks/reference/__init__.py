"""Solvers of others for min ‖X − WH‖², W, H ≥ 0, written here from their papers: rivals of our own.

Each is a file with a class that is begun with X and a start and then takes steps. All of them use the same
compiled sweep where they sweep, so that what is compared are the algorithms.
"""
