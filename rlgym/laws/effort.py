"""How many samples the laws draw. Samples are counts with fixed seeds, so that a commit gets the same verdict on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rlgym.core.errors import KnobError, suggestion


class Effort(StrEnum):
    """The size of all samples: `least` for tests, `standard` while developing, `certificate` for published numbers."""

    LEAST = "least"
    STANDARD = "standard"
    CERTIFICATE = "certificate"

    @classmethod
    def of(cls, name: str) -> Effort:
        """The effort called `name`; KnobError, with the nearest name, where there is none."""
        known = [effort.value for effort in cls]
        if name not in known:
            raise KnobError(f"there is no effort {name!r}.{suggestion(name, known)} Choose one of {', '.join(known)}")
        return cls(name)


@dataclass(frozen=True)
class Samples:
    """The size of one sample at each effort. `programs` is the least size where every verdict runs a program."""

    least: int
    standard: int
    certificate: int
    programs: int = 1

    def at(self, effort: Effort, runs_programs: bool = False) -> int:
        """The size at an effort."""
        if effort is Effort.LEAST:
            return self.programs if runs_programs else self.least
        return self.standard if effort is Effort.STANDARD else self.certificate
