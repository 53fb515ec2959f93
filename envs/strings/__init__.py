"""Environments of the domain strings."""
