"""Statistics of two runs over the same tasks: paired tests, changes in accuracy, and which tasks became solved."""
