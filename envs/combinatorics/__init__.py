"""Environments of the domain combinatorics."""
