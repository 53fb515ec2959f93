"""The nouns: config, rng, task, score, declarations and errors. Imports nothing else of this project."""
