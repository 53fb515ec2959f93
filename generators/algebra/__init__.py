"""Polynomials, equations, matrices, groups and rings, worked out exactly."""
