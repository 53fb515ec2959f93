"""Environments of the domain arithmetic."""
