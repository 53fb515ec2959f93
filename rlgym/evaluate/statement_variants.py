"""Suites in which every statement to be proved or refuted comes with its variants, from "DeepTheorem"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import rlgym
from rlgym.dataset.rows import knobs_of_row
from rlgym.evaluate.metrics.statement_variants import VARIANT
from rlgym.evaluate.suites import Suite, SuiteError, digest, with_knobs


def variants_of(name: str) -> tuple[str, ...]:
    """The variants of an environment's statements; empty where it has no knob `variant`."""
    return tuple(rlgym.environment(name).config.knobs().get(VARIANT, {}).get("order", ()))


def with_variants(suite: Suite) -> Suite:
    """The suite with all variants of each of its statements; other tasks are left out. SuiteError where no environment has variants."""
    rows: list[dict[str, Any]] = []
    for row in suite.rows:
        knobs = knobs_of_row(row) if variants_of(str(row["env"])) else {}
        rows += [with_knobs(row, {**knobs, VARIANT: variant}) for variant in variants_of(str(row["env"]))]
    if not rows:
        raise SuiteError("no environment of the suite has statements with variants: try --suite polynomial_interpolation:prove_or_refute")
    return replace(suite, name=f"{suite.name} (variants)", hash=digest(rows), rows=tuple(rows))
