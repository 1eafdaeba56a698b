"""Lessons as data, one file each: a question, and steps on the real pages that answer it."""
