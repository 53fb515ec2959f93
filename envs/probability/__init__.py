"""Environments of the domain probability."""
