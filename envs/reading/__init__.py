"""Environments of the domain reading."""
