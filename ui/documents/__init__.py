"""The Documents page: topics, a map, texts to read, labels that steer."""
