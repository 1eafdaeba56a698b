"""A run on documents as people read it: topics and their words, passages, search, the vocabulary."""
