"""Board games of perfect information for two: exact values of positions, started games, and squares with names."""
