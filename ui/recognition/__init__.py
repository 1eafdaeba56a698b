"""The Recognition page: methods compared, labels given by hand, pairs."""
