"""Sampling of episodes: engines, the scoring pool, multi-turn rollouts, asynchronous rollouts, and the collection of one step."""
