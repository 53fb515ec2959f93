"""Environments of the domain ciphers."""
