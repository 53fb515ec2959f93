"""Studies: the members of a family of algorithms side by side, from the same models, on the same tasks, over several seeds."""
