"""Environments of the domain calculus."""
