"""People and things in rows, round tables and in story grids, with clues about them."""
