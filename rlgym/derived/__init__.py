"""Environments made from others: from their tasks, explanations and verifiers. Reached by names such as NAME:choose; the registry lists them."""
