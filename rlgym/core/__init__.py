"""The basic types: config, rng, task, score, declarations and errors. Imports no other package of this project."""
