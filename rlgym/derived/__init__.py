"""Environments derived from the tasks, explanations and verifiers of others, with names such as NAME:choose. The registry lists them."""
