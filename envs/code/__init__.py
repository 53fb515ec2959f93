"""Environments of the domain code."""
