"""Evaluation and training runs on disk, read safely and summarised for display."""
