"""Second solvers, written from the prompts: each reads a prompt alone and shares no code with the environment that wrote it."""
