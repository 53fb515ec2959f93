"""Environments of the domain games."""
