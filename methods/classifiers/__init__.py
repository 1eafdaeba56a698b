"""Classifiers learnt from labelled rows, some helped by rows without labels."""
