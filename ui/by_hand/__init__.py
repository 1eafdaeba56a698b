"""Labels and pairs given by hand, stored for the session and in the address."""
