"""Writing runs of the engine down in the store, and bringing stored ones back."""
