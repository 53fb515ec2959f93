"""Metrics of an evaluation, computed from its result rows, one file per subject."""
