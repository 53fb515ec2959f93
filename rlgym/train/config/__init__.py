"""The configuration of a run: its fields, defaults and ranges, and the new names of renamed fields."""
