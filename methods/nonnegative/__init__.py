"""Methods whose factors are non-negative: parts that only add up."""
