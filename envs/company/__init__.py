"""Environments of the domain company."""
