"""Common words, names, and words in grids of letters."""
