"""Criteria of a rubric: deterministic checks, nuggets, and questions to a judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlgym.core.errors import DeclarationError
from rlgym.rubrics.facts import Fact, FactSheet, read_facts

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a criterion found in a response.

    value     from 0 to 1; None where nothing could be found out (a judge that failed)
    reason    why the value is not 1, in words that may be shown to the model
    evidence  the places (start, end) in the response that decide
    """

    value: float | None
    reason: str = ""
    evidence: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if self.value is not None and not 0.0 <= self.value <= 1.0:  # a larger one would make up for criteria that are not met
            raise ValueError(f"what a criterion finds has a value from 0 to 1, got {self.value!r}")

    @property
    def masked(self) -> bool:
        return self.value is None


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """One criterion of a rubric.

    name    its name in the parts of the score
    weight  its share of the value, relative to the others
    veto    a response that does not meet it scores 0, whatever the others say
    needs   names of criteria that must be met for this one to count; otherwise it is worth 0
    """

    name: str
    weight: float = 1.0
    veto: bool = False
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name or not 0 < self.weight < float("inf"):
            raise DeclarationError(f"a criterion has a name and a positive weight, got {self.name!r} and {self.weight!r}")


@dataclass(frozen=True, kw_only=True)
class Check(Criterion):
    """A deterministic criterion: `test(response)` returns whether it is met, a value from 0 to 1, or a Finding."""

    test: Callable[[str], bool | float | Finding]
    reason: str = ""

    def find(self, response: str) -> Finding:
        """What the test says of a response."""
        found = self.test(response)
        return (
            found if isinstance(found, Finding) else Finding(float(found), "" if found == 1 else self.reason or f"{self.name} is not met")
        )


@dataclass(frozen=True, kw_only=True)
class Nugget(Criterion):
    """A fact that must be stated in a sentence of its own; see `facts`."""

    fact: Fact
    sheet: FactSheet

    def find(self, response: str) -> Finding:
        """Whether a sentence of the response states the fact, and which."""
        places = read_facts(self.sheet, response).stated.get(self.fact.name, ())
        return Finding(float(bool(places)), "" if places else f"no sentence states this: {self.fact.name}", places)


@dataclass(frozen=True, kw_only=True)
class NoContradiction(Criterion):
    """No sentence contradicts a fact of the sheet or has a figure that no fact supports."""

    sheet: FactSheet

    def find(self, response: str) -> Finding:
        """The sentences at fault."""
        faults = read_facts(self.sheet, response).faults
        return Finding(float(not faults), faults[0][1] if faults else "", tuple(place for place, _ in faults))


@dataclass(frozen=True, kw_only=True)
class JudgeCall(Criterion):
    """A yes-or-no question about a response that a judge answers."""

    question: str


Deterministic = Check | Nugget | NoContradiction
"""Criteria that need no judge."""
AnyCriterion = Deterministic | JudgeCall
