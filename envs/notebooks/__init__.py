"""Data work in a notebook: Python cells over generated tables with planted effects and faults; the files that the cells write are judged."""
