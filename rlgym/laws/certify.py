"""Runs all laws over an environment and puts the findings together in a certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rlgym.core.errors import KnobError, UnknownName, suggestion
from rlgym.laws.aimless import aimless
from rlgym.laws.deterministic import deterministic
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.harder import harder, rich
from rlgym.laws.helpful import clean, helpful
from rlgym.laws.replayed import drawn, replayed
from rlgym.laws.saved import fast, saved
from rlgym.laws.solvable import complete, solvable, spelled
from rlgym.laws.subject import Subject
from rlgym.laws.telling import telling
from rlgym.laws.unpaid import total, unmistaken, unpaid
from rlgym.registry import environment, place

Law = Callable[[Subject, Effort], Finding]

LAWS: dict[str, Law] = {
    "deterministic": deterministic,
    "solvable": solvable,
    "complete": complete,
    "unpaid": unpaid,
    "aimless": aimless,
    "unmistaken": unmistaken,
    "spelled": spelled,
    "telling": telling,
    "total": total,
    "harder": harder,
    "rich": rich,
    "saved": saved,
    "fast": fast,
    "helpful": helpful,
    "replayed": replayed,
    "drawn": drawn,
    "clean": clean,
}

_SHARES = {"deterministic": 2, "solvable": 3, "unpaid": 4, "total": 2, "rich": 4, "unmistaken": 2}


@dataclass(frozen=True)
class Certificate:
    """What the laws measured about one version of one environment."""

    name: str
    version: int
    findings: dict[str, Finding]

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings.values())

    def to_dict(self) -> dict[str, Any]:
        """The certificate as JSON-able data."""
        return {
            "name": self.name,
            "version": self.version,
            "passed": self.passed,
            "laws": {law: finding.to_dict() for law, finding in self.findings.items()},
        }


def check(name: str, *, seconds: float = 12.0, laws: Sequence[str] | None = None) -> Certificate:
    """Run the laws (all, or the named ones) over the environment called `name`.

    seconds: about how long that may take; each law takes its least samples however little time there is.
    """
    return certify(Subject(name, environment(name), place(name).file), seconds=seconds, laws=laws)


def certify(subject: Subject, *, seconds: float = 12.0, laws: Sequence[str] | None = None) -> Certificate:
    """`check` for a declaration that need not be in the registry."""
    if seconds <= 0:
        raise KnobError(f"seconds must be above 0, got seconds={seconds!r}")
    wanted = list(LAWS) if laws is None else list(laws)
    for law in wanted:
        if law not in LAWS:
            raise UnknownName(f"there is no law {law!r};{suggestion(law, LAWS)} the laws are {', '.join(LAWS)}")
    total_share = sum(_SHARES.get(law, 1) for law in wanted)
    findings = {}
    for law in wanted:
        effort = Effort(seconds * _SHARES.get(law, 1) / total_share)
        try:
            findings[law] = LAWS[law](subject, effort)
        except Exception as error:  # a declaration that raises breaks the law it raised in, and the others go on
            findings[law] = Finding()
            findings[law].require(False, f"{type(error).__name__}: {error}")
    return Certificate(subject.name, subject.declared.version, findings)
