"""Variants of one statement to be proved or refuted: tasks of one seed that differ in the knob `variant` alone."""

from __future__ import annotations

from typing import Any

from rlgym.core.config import knob

STATED, EQUIVALENT, NEGATED, PERTURBED = "stated", "equivalent", "negated", "perturbed"
VARIANTS = (STATED, EQUIVALENT, NEGATED, PERTURBED)


def variant_knob() -> Any:
    """The knob `variant`, which no level changes.

    The same seed gives the statement as it stands; one that is true exactly if it is; its negation; and a near one, often of the other truth.
    """
    return knob(STATED, easy=STATED, hard=STATED, order=VARIANTS, fixed=True, doc="which variant of the statement is asked about")


def swap_verdict(answer: tuple[str, ...]) -> tuple[str, ...]:
    """The answer to the negation of a statement: the same evidence under the other word of true and false."""
    other = {"true": "false", "false": "true"}
    return (other.get(answer[0], answer[0]), *answer[1:]) if answer else answer
