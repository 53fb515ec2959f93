"""Seeded parts that several environments are made of."""
