"""A task family that rlgym and reasoning-gym both have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Pair:
    """One environment of ours and one dataset of reasoning-gym, at matched sizes.

    `difference` names what the settings cannot match, and `reason` explains a rate of ours below half of theirs.
    """

    ours: str
    knobs: Mapping[str, Any]
    theirs: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    difference: str = ""
    reason: str = ""
