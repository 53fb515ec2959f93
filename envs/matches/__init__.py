"""Environments of the domain matches."""
