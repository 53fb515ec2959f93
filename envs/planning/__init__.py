"""Environments of the domain planning."""
