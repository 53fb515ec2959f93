"""The packed batch of rollouts that an update learns from, sums over its segments, and filters."""
