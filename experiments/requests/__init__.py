"""Run requests: their rows and labels, how pictures are spoiled, which methods fit which data."""
