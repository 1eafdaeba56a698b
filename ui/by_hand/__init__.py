"""What visitors say of samples by hand: labels and pairs, kept for the session and in the address."""
