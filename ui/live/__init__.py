"""Runs watched while they go on: the live run, races, the demonstration, and how their pictures come."""
