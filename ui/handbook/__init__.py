"""The Methods page, made from the SPECs."""
