"""Evaluation: run a model over a suite of tasks, compute metrics with confidence intervals, and compare runs."""
