"""Exact physics, chemistry, biology and economics."""
