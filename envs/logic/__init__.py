"""Environments of the domain logic."""
