"""The Occlusion and Noise pages: a face spoiled by hand, and methods that answer."""

# How many runs answer about one face at a time.
MOST_METHODS = 7
# What is worked out for a visitor who looks at them, about all faces.
CURVES, MAPS = "accuracy", "places"
