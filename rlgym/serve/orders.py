"""What a supervisor tells a worker at its start."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from rlgym.serve.settings import Settings


@dataclass(frozen=True)
class Orders:
    """What a worker is to do."""

    settings: Settings
    folder: str
    listening: int
    grace: float
    linger: float
    log_level: str = "info"

    def write(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def read(cls, line: str) -> Orders:
        """The orders in a line that `write` made."""
        told = json.loads(line)
        settings = told.pop("settings")
        return cls(settings=Settings(**{**settings, "hosts": tuple(settings["hosts"])}), **told)
