"""Scorers: a Python function, a command, an HTTP endpoint, a judge, one of our environments."""
