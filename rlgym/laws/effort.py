"""How many samples the laws draw. Samples are counts with fixed seeds, so that a commit gets the same verdict on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rlgym.core.errors import KnobError, suggestion


class Effort(StrEnum):
    """The size of all samples: `least` and `quick` for tests, `standard` while developing, `certificate` for published numbers."""

    LEAST = "least"
    QUICK = "quick"
    STANDARD = "standard"
    CERTIFICATE = "certificate"

    @classmethod
    def of(cls, name: str) -> Effort:
        """The effort called `name`; KnobError, with the nearest name, where there is none."""
        known = [effort.value for effort in cls]
        if name not in known:
            raise KnobError(f"there is no effort {name!r}.{suggestion(name, known)} Choose one of {', '.join(known)}")
        return cls(name)

    @property
    def is_small(self) -> bool:
        """Whether the samples are those of the tests, which look at few levels."""
        return self in (Effort.LEAST, Effort.QUICK)


@dataclass(frozen=True)
class Samples:
    """The size of one sample at each effort.

    programs  the size at both small efforts where every verdict runs a program
    quick     the size at the effort `quick`, if it is not the least one
    """

    least: int
    standard: int
    certificate: int
    programs: int = 1
    quick: int | None = None

    def at(self, effort: Effort, runs_programs: bool = False) -> int:
        """The size at an effort."""
        if effort.is_small:
            if runs_programs:
                return self.programs
            return self.quick if effort is Effort.QUICK and self.quick is not None else self.least
        return self.standard if effort is Effort.STANDARD else self.certificate
