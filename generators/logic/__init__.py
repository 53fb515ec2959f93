"""Formulas, first-order sentences and circuits: sampled, written, read back and evaluated."""
