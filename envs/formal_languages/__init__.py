"""Environments of the domain formal_languages."""
