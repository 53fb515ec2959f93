"""Checks a configuration before anything is written: tasks, sizes, combinations of algorithms, ranks and engines."""
