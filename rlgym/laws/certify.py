"""Runs the laws over an environment and collects the findings in a certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.core.errors import UnknownName, suggestion
from rlgym.laws.answer_layout import answer_layout
from rlgym.laws.clean_source import clean_source
from rlgym.laws.completeness import completeness
from rlgym.laws.constant_answer import constant_answer
from rlgym.laws.determinism import determinism
from rlgym.laws.diversity import diversity
from rlgym.laws.effort import Effort
from rlgym.laws.equivalent_spellings import equivalent_spellings
from rlgym.laws.explanations_and_hints import explanations_and_hints
from rlgym.laws.finding import Finding
from rlgym.laws.independent_solver import independent_solver
from rlgym.laws.mistakes_rejected import mistakes_rejected
from rlgym.laws.monotonic_difficulty import monotonic_difficulty
from rlgym.laws.mutation_score import mutation_score
from rlgym.laws.no_free_reward import no_free_reward
from rlgym.laws.number_length import number_length
from rlgym.laws.opponent_strength import opponent_strength
from rlgym.laws.oracle_accuracy import oracle_accuracy
from rlgym.laws.pictures import pictures
from rlgym.laws.prompt_copying import prompt_copying
from rlgym.laws.prompt_quality import prompt_quality
from rlgym.laws.random_policy import random_policy
from rlgym.laws.robustness import robustness
from rlgym.laws.rule_coverage import rule_coverage
from rlgym.laws.serialization import serialization
from rlgym.laws.speed import speed
from rlgym.laws.stated_precision import stated_precision
from rlgym.laws.step_verification import step_verification
from rlgym.laws.subject import Subject
from rlgym.registry import environment, locate

Law = Callable[[Subject, Effort], Finding]

LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        determinism,
        oracle_accuracy,
        completeness,
        no_free_reward,
        constant_answer,
        prompt_copying,
        random_policy,
        rule_coverage,
        opponent_strength,
        mistakes_rejected,
        equivalent_spellings,
        answer_layout,
        stated_precision,
        number_length,
        mutation_score,
        independent_solver,
        robustness,
        monotonic_difficulty,
        diversity,
        serialization,
        speed,
        explanations_and_hints,
        step_verification,
        pictures,
        prompt_quality,
        clean_source,
    )
}

NEEDS_RIGHT_ORACLE = {
    law.__name__
    for law in (
        no_free_reward,
        constant_answer,
        rule_coverage,
        opponent_strength,
        mistakes_rejected,
        equivalent_spellings,
        answer_layout,
        stated_precision,
        mutation_score,
        independent_solver,
        serialization,
        explanations_and_hints,
        step_verification,
    )
}
"""Laws that take the oracle's answer to be right. They are not run if the oracle fails, since they would report its fault again."""


@dataclass(frozen=True)
class Certificate:
    """What the laws measured on one version of one environment."""

    name: str
    version: int
    effort: Effort
    findings: dict[str, Finding]

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings.values())

    def to_dict(self) -> dict[str, Any]:
        """The certificate as JSON-able data."""
        return {
            "name": self.name,
            "version": self.version,
            "effort": self.effort.value,
            "passed": self.passed,
            "laws": {law: finding.to_dict() for law, finding in self.findings.items()},
        }


def check(name: str, *, effort: Effort | str = Effort.STANDARD, laws: Sequence[str] | None = None) -> Certificate:
    """Run the laws (all, or the named ones) over the environment called `name`.

    effort: the size of the samples, "least", "quick", "standard" or "certificate". Seeds are fixed, so the verdict is the same on every machine.
    """
    return certify(Subject(name, environment(name), locate(name).file), effort=effort, laws=laws)


def certify(subject: Subject, *, effort: Effort | str = Effort.STANDARD, laws: Sequence[str] | None = None) -> Certificate:
    """`check` for a declaration that need not be in the registry."""
    size = Effort.of(effort)
    selected = list(LAWS) if laws is None else list(laws)
    for law in selected:
        if law not in LAWS:
            raise UnknownName(f"there is no law {law!r}.{suggestion(law, LAWS)} The laws are {', '.join(LAWS)}")
    findings: dict[str, Finding] = {}
    for law in selected:
        if law in NEEDS_RIGHT_ORACLE and "oracle_accuracy" in findings and not findings["oracle_accuracy"].passed:
            findings[law] = Finding(not_measured="the oracle fails")
            continue
        try:
            findings[law] = LAWS[law](subject, size)
        except Exception as error:  # a declaration that raises breaks this law; the other laws still run
            findings[law] = Finding()
            findings[law].require(False, f"{type(error).__name__}: {error}")
    return Certificate(subject.name, subject.declared.version, size, findings)
