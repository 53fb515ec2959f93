"""Exact polynomials, equations, matrices, groups and rings."""
