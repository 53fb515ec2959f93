"""Environments of the domain puzzles."""
