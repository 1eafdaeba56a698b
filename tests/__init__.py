"""The checks of everything: `make test` runs them."""
