"""Methods that factorize what a kernel makes of the samples, not the samples themselves."""
