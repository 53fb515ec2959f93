"""Simulated users: a grammar of what agents say to them, and people who answer in a manner and a mood of their own."""
