"""Environments of the domain instruction_following."""
