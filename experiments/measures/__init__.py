"""Numbers about a finished fit: recognition, clustering, sparsity, and whether a difference is chance."""
