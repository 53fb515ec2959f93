"""Exact probabilities, and stories that request them."""
