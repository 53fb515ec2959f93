"""Exact probabilities and the stories they are asked in."""
