"""Environments of the domain geometry."""
