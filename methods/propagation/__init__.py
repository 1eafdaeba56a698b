"""Labels that spread from sample to sample along a graph."""
