"""Environments of the domain tools."""
