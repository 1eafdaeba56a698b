"""The Tune page: which parameters serve best here, and whether the answer is safe."""
