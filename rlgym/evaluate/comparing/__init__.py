"""What two runs of the same tasks tell together, one file per subject."""
