"""The page of the papers: printed numbers, ours, and what became of the claims."""
