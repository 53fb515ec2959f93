"""Rules behind examples: chains of operations out of a list, and the lists for numbers, rows, pictures and words."""
