"""The table of derived environments: how each is made from the declaration of another. Modules are imported when they are first used."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace

from rlgym.core.declare import Declaration, Environment, Match

Maker = Callable[[Declaration], Declaration | None]
"""Makes a derived environment; None where the declaration lacks what this needs."""


def _with_shift(declared: Declaration) -> Declaration | None:
    """The declaration with its shifted family of tasks instead of the usual one."""
    if isinstance(declared, Match) or declared.shift is None:
        return None
    if isinstance(declared, Environment):
        return replace(declared, generate=declared.shift, shift=None)
    return replace(declared, start=declared.shift, shift=None)


def _statement(declared: Declaration) -> Declaration | None:
    if not isinstance(declared, Environment) or declared.statement is None:
        return None
    return replace(declared.statement, shared_helpers=declared.statement.shared_helpers or declared.shared_helpers)


def _maker(module: str, kind: str) -> Maker:
    """A function of rlgym.derived, imported when it is first called."""

    def make(declared: Declaration) -> Declaration | None:
        declaration: Declaration | None = getattr(importlib.import_module(f"rlgym.derived.{module}"), kind)(declared)
        return declaration

    return make


def _language(code: str) -> Maker:
    def make(declared: Declaration) -> Declaration | None:
        declaration: Declaration | None = importlib.import_module("rlgym.derived.rewording").in_language(code)(declared)
        return declaration

    return make


LANGUAGES = ("de", "fr", "es", "zh", "ja", "hi", "ar")
JUDGE_KINDS = ("grade_solution", "pairwise", "best_of", "first_error", "critique_refine")
"""The judge tasks, which exist in every language as well: NAME:pairwise:de."""
DERIVED: dict[str, Maker] = {
    "shift": _with_shift,
    "first_error": _maker("first_error", "first_error"),
    "audit": _maker("audit", "audit"),
    "name_flaws": _maker("flaws", "name_flaws"),
    "choose": _maker("choose", "choose"),
    "grade": _maker("choose", "grade"),
    "grade_solution": _maker("judging", "grade_solution"),
    "pairwise": _maker("judging", "pairwise"),
    "best_of": _maker("judging", "best_of"),
    "rank_by_principle": _maker("principles", "rank_by_principle"),
    "rank_by_new_principle": _maker("principles", "rank_by_new_principle"),
    "match_tasks": _maker("contrast", "match_tasks"),
    "retrieve": _maker("retrieve", "retrieve"),
    "critique_refine": _maker("refining", "critique_refine"),
    "prove_or_refute": _statement,
    "several": _maker("several", "several"),
    "chained": _maker("chained", "chained"),
    "inverse": _maker("inverse", "inverse"),
    "try_again": _maker("multi_turn", "try_again"),
    "budgeted": _maker("multi_turn", "budgeted"),
    "with_python": _maker("with_python", "with_python"),
    "with_evidence": _maker("with_evidence", "with_evidence"),
    "without_tools": _maker("rewording", "without_tools"),
    "with_confidence": _maker("uncertainty", "with_confidence"),
    "n_guesses": _maker("uncertainty", "n_guesses"),
    "candidates": _maker("candidates", "candidates"),
    "choose_twice": _maker("candidates", "choose_twice"),
    "paraphrased": _maker("rewording", "paraphrased"),
    **{code: _language(code) for code in LANGUAGES},
}
"""The derived environments, by the part of the name after the colon."""
