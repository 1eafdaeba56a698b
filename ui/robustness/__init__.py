"""The Occlusion and Noise pages: a face spoiled by hand, and methods that answer."""
