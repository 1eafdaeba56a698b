"""The command line, and the tables and reports it prints."""
