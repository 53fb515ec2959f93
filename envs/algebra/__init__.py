"""Environments of the domain algebra."""
