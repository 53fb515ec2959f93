"""Seeded parts of grid puzzles: solvers that prove a solution unique, removal of clues, layout and its checks."""
