"""Environments of the domain graphs."""
