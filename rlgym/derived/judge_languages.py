"""NAME:pairwise:de and the like: a judge task of another kind with everything but the judged tasks and solutions in another language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rlgym.core.declare import Declaration, Environment
from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.derived import base_task
from rlgym.derived.first_error import first_error
from rlgym.derived.formats import Translated
from rlgym.derived.judge_words import IN_LANGUAGES
from rlgym.derived.judging import best_of, grade_solution, pairwise
from rlgym.derived.refining import critique_refine
from rlgym.derived.rewording import CLOSINGS, OPENINGS

TRANSLATED = {"grade_solution": grade_solution, "pairwise": pairwise, "best_of": best_of}
"""The kinds whose whole prompt is translated; of the others the first and the last line are."""
FRAMED = {"first_error": first_error, "critique_refine": critique_refine}


def judge_in_language(declared: Declaration, kind: str, code: str) -> Environment[Any, Any, Any] | None:
    """The judge task of a kind in a language; None where the environment derives no such kind. The same seed gives the same instance as in English."""
    if kind in TRANSLATED:
        return TRANSLATED[kind](declared, IN_LANGUAGES[code], CLOSINGS[code])
    made = FRAMED[kind](declared)
    if made is None:
        return None

    def generate(rng: Rng, knobs: Any) -> Task[Any]:
        task = made.generate(rng, knobs)
        return Task(f"{OPENINGS[code]}\n\n{task.prompt}", task.data)

    return replace(made, generate=base_task.with_data_type(generate, made.data), answer=Translated(made.answer, CLOSINGS[code]))
