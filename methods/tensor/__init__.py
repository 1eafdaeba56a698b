"""Methods that keep each sample a table, or a tensor of any order, and those they reduce to."""
