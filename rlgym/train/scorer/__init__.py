"""Trains a scorer of steps: a model with a value head, on labelled steps, outcomes, shared prefixes or preferences."""
