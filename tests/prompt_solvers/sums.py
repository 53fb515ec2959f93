"""Sums."""

from __future__ import annotations

from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver


@prompt_solver("chain_sum")
def solve_chain_sum(prompt: str) -> str:
    terms = between(prompt, "Compute ", ".\n").replace(" - ", " + -").split(" + ")
    return str(sum(map(int, terms)))
