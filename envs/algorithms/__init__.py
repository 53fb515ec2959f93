"""Algorithms followed by hand: tables, machines, caches and codes."""
