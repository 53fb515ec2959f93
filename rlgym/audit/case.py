"""A case of the audit: a response to a prompt, the reference answer, and whether the response deserves the reward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """One call of the scorer.

    check        the check that it belongs to
    right        whether the response gives the right answer; None where only the behaviour of the scorer is measured
    answer_type  the type of the reference answer, such as `fractions`
    variant      which variant of the check it is, such as `trailing text`
    group        cases of one group differ only in what must not change the verdict
    context      what only some scorers receive: the task of an environment, further columns
    """

    check: str
    prompt: str
    response: str
    answer: str
    right: bool | None
    answer_type: str
    domain: str
    variant: str = ""
    group: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a scorer returned for one case.

    reward     None where it raised, timed out, or returned something that is not a number
    error      the exception or the invalid value, as text
    seconds    wall-clock time of the call
    memory_mb  growth of the peak resident memory during the call
    mutated    whether the scorer changed an argument
    executed   whether the scorer ran text of the response as Python code
    masked     whether there is no verdict for reasons other than the scorer, such as an endpoint that fails; the case does not count
    """

    reward: float | None
    error: str = ""
    seconds: float = 0.0
    memory_mb: float = 0.0
    timed_out: bool = False
    mutated: bool = False
    executed: bool = False
    masked: bool = False
