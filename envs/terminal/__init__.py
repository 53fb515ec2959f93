"""Environments of the domain terminal."""
