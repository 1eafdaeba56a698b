"""One file a page: controls, a request, a view. The table of pages is in `ui/shell.py`."""
