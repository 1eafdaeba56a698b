"""Methods compared over several splits, and accuracy against how far pictures are spoiled."""
