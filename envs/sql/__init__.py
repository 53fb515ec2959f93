"""Environments of the domain sql."""
