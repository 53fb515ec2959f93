"""Environments of the domain writing."""
