"""Payoffs of games with hidden information, chance and simultaneous moves: exact best responses, guarantees and equilibria."""
