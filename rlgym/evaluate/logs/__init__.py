"""Runs as the logs of other evaluation tools, and their logs as runs."""
