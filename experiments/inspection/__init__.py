"""What is looked at: maps of samples, graphs over them, parts and their files."""
