"""Qualitative relations between intervals of time and regions of space, and networks of them."""
