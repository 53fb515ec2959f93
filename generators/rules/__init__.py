"""Rules that examples are made by: chains of operations out of a list, and the lists for numbers, rows, pictures and words."""
