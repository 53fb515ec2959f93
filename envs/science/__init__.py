"""Environments of the domain science."""
