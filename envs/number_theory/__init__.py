"""Environments of the domain number_theory."""
